// Where everything stands, in the picture's own units: one worker's panels for a wide page, a pair, or a phone.

const GAP = 12;
const rect = (x, y, w, h) => ({ x, y, w, h });

/** How a stage of `width` CSS pixels (and `height`, to be filled by a projected one) is laid out for its workers. */
export function layoutStage(width, height, workers, present) {
  const phone = width < 640;
  if (phone) return stack(workers.map(() => phonePicture(Math.max(360, Math.min(width, 460)), workers.length > 1)));
  if (workers.length > 1) return beside(workers.map(() => pairPicture(present ? 600 : 640, aspect(width / 2, height), present)));
  return beside([widePicture(present ? 1080 : Math.max(1120, Math.min(width, 1320)), aspect(width, height), present)]);
}

const aspect = (width, height) => (height ? height / width : 0);

function beside(pictures) {
  const w = pictures.reduce((sum, picture) => sum + picture.w, 0) + GAP * (pictures.length - 1);
  let x = 0;
  const placed = pictures.map((picture) => { const at = { ...picture, x, y: 0 }; x += picture.w + GAP; return at; });
  return { w, h: Math.max(...pictures.map((picture) => picture.h)), pictures: placed };
}

function stack(pictures) {
  let y = 0;
  const placed = pictures.map((picture) => { const at = { ...picture, x: 0, y }; y += picture.h + GAP * 2; return at; });
  return { w: Math.max(...pictures.map((picture) => picture.w)), h: y - GAP * 2, pictures: placed };
}

/** Desk, table on the wall, cabinet; the ledger at the side; the event, the code and the card below. */
function widePicture(w, ratio, present) {
  const h = present && ratio ? clamp(w * ratio, 540, 800) : 776;
  const [title, caption] = present ? [44, 56] : [42, 48];
  const below = present ? h * 0.26 : 204;
  const room = rect(0, title, w * 0.775, h - title - caption - below - GAP * 2);
  const y = room.y + room.h + GAP;
  const bottom = y + caption + GAP;
  return {
    w, h, kind: "wide", room, lane: 96,
    title: rect(0, 0, w, title - 6),
    desk: column(room, 0, 0.29), cabinet: column(room, 0.69, 0.31), table: wall(column(room, 0.29, 0.4), 96),
    ledger: rect(room.w + GAP, title, w - room.w - GAP, room.h),
    caption: rect(0, y, w, caption),
    code: rect(0, bottom, w * 0.56, h - bottom), card: rect(w * 0.56 + GAP, bottom, w * 0.44 - GAP, h - bottom),
  };
}

/** One of two: the same room, tighter; the code only where there is height for it. */
function pairPicture(w, ratio, present) {
  const h = present && ratio ? clamp(w * ratio, 560, 900) : 838;
  const coded = h > 760;
  const [title, caption, middle] = [42, 56, 172];
  const below = coded ? Math.min(176, h * 0.22) : 0;
  const room = rect(0, title, w, h - title - caption - middle - below - GAP * (coded ? 3 : 2));
  const y = room.y + room.h + GAP;
  const panels = y + caption + GAP;
  return {
    w, h, kind: "pair", room, lane: 84,
    title: rect(0, 0, w, title - 6),
    desk: column(room, 0, 0.3), cabinet: column(room, 0.69, 0.31), table: wall(column(room, 0.3, 0.39), 84),
    caption: rect(0, y, w, caption),
    ledger: rect(0, panels, w * 0.5, middle), card: rect(w * 0.5 + GAP, panels, w * 0.5 - GAP, middle),
    code: coded ? rect(0, panels + middle + GAP, w, below) : null,
  };
}

/** Everything in one column: the room, the event, the table, the card, the ledger, the code. */
function phonePicture(w, paired) {
  const heights = { title: 40, room: 348, caption: 74, table: paired ? 270 : w * 0.82, card: 160, ledger: 246, code: paired ? 0 : 214 };
  const at = {};
  let y = 0;
  for (const name in heights) {
    if (heights[name]) at[name] = rect(0, y, w, heights[name]);
    y += heights[name] ? heights[name] + (name === "title" ? 0 : GAP) : 0;
  }
  return { w, h: y - GAP, kind: "phone", lane: 84, ...at, code: at.code || null,
    desk: column(at.room, 0, 0.5), cabinet: column(at.room, 0.54, 0.46), table: inset(at.table, 4) };
}

const clamp = (value, least, most) => Math.max(least, Math.min(most, value));
const column = (room, from, share) => inset(rect(room.x + room.w * from, room.y, room.w * share, room.h), 12);
const inset = (box, by) => rect(box.x + by, box.y + by, box.w - 2 * by, box.h - 2 * by);
/** The part of the room's wall above the floor where people walk. */
const wall = (box, lane) => rect(box.x, box.y, box.w, box.h - lane + 4);
