// Where everything stands in the hallway's picture: desks on the left, the shelf in the middle, the cabinet on the right.

import { clamp, rect } from "./layout.js";

const HALL_GAP = 12;

/** How the hallway is laid out on a stage of `width` CSS pixels (and `height`, to be filled by a projected one). */
export function layoutHall(width, height, present) {
  if (width < 640) return phoneHall(clamp(width, 360, 460));
  return present && height > 0
    ? projectedHall(1080, clamp((1080 * height) / width, 480, 700))
    : wideHall(clamp(width, 1120, 1320), 820);
}

function wideHall(w, h) {
  const [title, caption, below] = [42, 62, 226];
  const hall = rect(0, title, w * 0.745, h - title - caption - below - HALL_GAP * 2);
  const y = hall.y + hall.h + HALL_GAP;
  const bottom = y + caption + HALL_GAP;
  const side = hall.w + HALL_GAP;
  return {
    w,
    h,
    hall,
    ...zones(hall, [0.36, 0.43, 0.66, 0.755]),
    columns: 4,
    title: rect(0, 0, w, title - 6),
    ledger: rect(side, title, w - side, hall.h),
    caption: rect(0, y, w, caption),
    table: rect(0, bottom, 300, below),
    code: rect(300 + HALL_GAP, bottom, w - 300 - HALL_GAP, below),
  };
}

function projectedHall(w, h) {
  const [title, below] = [42, 88];
  const hall = rect(0, title, w * 0.735, h - title - below - HALL_GAP);
  const y = hall.y + hall.h + HALL_GAP;
  const side = hall.w + HALL_GAP;
  return {
    w,
    h,
    hall,
    ...zones(hall, [0.36, 0.43, 0.66, 0.755]),
    columns: 4,
    title: rect(0, 0, w, title - 6),
    ledger: rect(side, title, w - side, hall.h),
    caption: rect(0, y, w * 0.5, below),
    code: rect(w * 0.5 + HALL_GAP, y, w * 0.5 - HALL_GAP, below),
    table: null,
  };
}

function phoneHall(w) {
  const heights = { title: 40, hall: 430, caption: 92, ledger: 366, table: w * 0.82, code: 190 };
  const at = {};
  let y = 0;
  for (const name in heights) {
    at[name] = rect(0, y, w, heights[name]);
    y += heights[name] + (name === "title" ? 0 : HALL_GAP);
  }
  return { w, h: y - HALL_GAP, ...at, ...zones(at.hall, [0.42, 0.5, 0.74, 0.82]), columns: 3 };
}

/** Desks, shelf and cabinet between shares of the hall's width; between them the two lines at which bytes are counted. */
function zones(hall, [desks, shelf, shelfEnd, cabinet]) {
  const pad = hall.w < 500 ? 6 : 14;
  const strip = 46;
  const floor = hall.y + hall.h - strip - 10;
  const zone = (from, to) => rect(hall.x + hall.w * from, hall.y + 10, hall.w * (to - from), floor - hall.y - 10);
  const line = (from, to) => hall.x + (hall.w * (from + to)) / 2;
  const inside = (one, left, right) => ({ ...one, x: one.x + left, w: one.w - left - right });
  return {
    floor,
    strip,
    desks: inside(zone(0, desks), pad, 0),
    shelf: zone(shelf, shelfEnd),
    cabinet: inside(zone(cabinet, 1), 0, pad),
    lines: { desk: line(desks, shelf), cabinet: line(shelfEnd, cabinet) },
  };
}
