// Where everything stands, in the picture's own units: one worker's panels for a wide page, a pair, or a phone.

const GAP = 12;
export const rect = (x, y, w, h) => ({ x, y, w, h });

/** How a stage of `width` CSS pixels (and `height`, to be filled by a projected one) is laid out for its workers. */
export function layoutStage(width, height, workers, present) {
  const more = moreRows(workers);
  if (width < 640)
    return stack(workers.map(() => phonePicture(Math.max(360, Math.min(width, 460)), workers.length > 1, more)));
  const projected = present && height > 0;
  if (workers.length > 1) {
    const projectedPair = more ? crowdedPicture : pairPicture;
    return beside(
      workers.map(() =>
        projected
          ? projectedPair(700, clamp((700 * height * 2) / width, 600, 779), 244)
          : pairPicture(640, 900 + more, 222 + more),
      ),
    );
  }
  return beside([
    projected
      ? projectedPicture(1080, clamp((1080 * height) / width, 480, 700))
      : widePicture(Math.max(1120, Math.min(width, 1320)), 776),
  ]);
}

/** What a ledger needs beyond the usual: a line for each tensor over seven. */
const moreRows = (workers) => 18 * Math.max(0, ...workers.map(({ tensors }) => tensors.length - 7));

function beside(pictures) {
  const w = pictures.reduce((sum, picture) => sum + picture.w, 0) + GAP * (pictures.length - 1);
  let x = 0;
  const placed = pictures.map((picture) => {
    const at = { ...picture, x, y: 0 };
    x += picture.w + GAP;
    return at;
  });
  return { w, h: Math.max(...pictures.map((picture) => picture.h)), pictures: placed };
}

function stack(pictures) {
  let y = 0;
  const placed = pictures.map((picture) => {
    const at = { ...picture, x: 0, y };
    y += picture.h + GAP * 2;
    return at;
  });
  return { w: Math.max(...pictures.map((picture) => picture.w)), h: y - GAP * 2, pictures: placed };
}

/** Desk, table on the wall, cabinet; the ledger at the side; the event, the code and the card below. */
function widePicture(w, h) {
  const [title, caption, below] = [42, 48, 204];
  const room = rect(0, title, w * 0.775, h - title - caption - below - GAP * 2);
  const y = room.y + room.h + GAP;
  const bottom = y + caption + GAP;
  return {
    w,
    h,
    kind: "wide",
    ...furnished(room, 112, [0.29, 0.4]),
    title: rect(0, 0, w, title - 6),
    ledger: rect(room.w + GAP, title, w - room.w - GAP, room.h),
    caption: rect(0, y, w, caption),
    code: rect(0, bottom, w * 0.56, h - bottom),
    card: rect(w * 0.56 + GAP, bottom, w * 0.44 - GAP, h - bottom),
  };
}

/** For a classroom's wall: the room as large as can be, card and ledger at its side, a few lines of code below. */
function projectedPicture(w, h) {
  const [title, below] = [42, 88];
  const room = rect(0, title, w * 0.715, h - title - below - GAP);
  const side = { x: room.w + GAP, w: w - room.w - GAP };
  const card = Math.min(168, room.h * 0.42);
  const y = room.y + room.h + GAP;
  return {
    w,
    h,
    kind: "projected",
    ...furnished(room, 92, [0.28, 0.42]),
    title: rect(0, 0, w, title - 6),
    ledger: rect(side.x, title, side.w, room.h - card - GAP),
    card: rect(side.x, title + room.h - card, side.w, card),
    caption: rect(0, y, w * 0.47, below),
    code: rect(w * 0.47 + GAP, y, w * 0.53 - GAP, below),
  };
}

/** One of two: the same room, tighter; the code only where there is height for it. */
function pairPicture(w, h, middle) {
  const coded = h > 780;
  const [title, caption] = [42, 54];
  const below = coded ? 176 : 0;
  const room = rect(0, title, w, h - title - caption - middle - below - GAP * (coded ? 3 : 2));
  const y = room.y + room.h + GAP;
  const panels = y + caption + GAP;
  return {
    w,
    h,
    kind: "pair",
    ...furnished(room, 84, [0.3, 0.39]),
    title: rect(0, 0, w, title - 6),
    caption: rect(0, y, w, caption),
    ledger: rect(0, panels, w * 0.5, middle),
    card: rect(w * 0.5 + GAP, panels, w * 0.5 - GAP, middle),
    code: coded ? rect(0, panels + middle + GAP, w, below) : null,
  };
}

/** One of two with many tensors on a classroom's wall: cabinet and ledger in two columns each, and no card. */
function crowdedPicture(w, h, middle) {
  const pair = pairPicture(w, h, middle - 12);
  const room = furnished(pair.room, pair.lane, [0.27, 0.31]);
  return {
    ...pair,
    ...room,
    cabinet: { ...room.cabinet, columns: 2 },
    ledger: { ...pair.ledger, w, columns: 2 },
    card: null,
  };
}

/** A room with the desk on the left, the cabinet on the right, and the table on the wall where people walk below it. */
function furnished(room, lane, [from, share]) {
  const middle = column(room, from, share);
  return {
    room,
    lane,
    desk: column(room, 0, from),
    cabinet: column(room, from + share, 1 - from - share),
    table: rect(middle.x, middle.y, middle.w, middle.h - lane * 0.72),
  };
}

/** Everything in one column: the room, the event, the table, the card, the ledger, the code. */
function phonePicture(w, paired, more) {
  const heights = {
    title: 40,
    room: 348,
    caption: 74,
    table: paired ? 270 : w * 0.82,
    card: 160,
    ledger: 250 + more,
    code: paired ? 0 : 214,
  };
  const at = {};
  let y = 0;
  for (const name in heights) {
    if (heights[name]) at[name] = rect(0, y, w, heights[name]);
    y += heights[name] ? heights[name] + (name === "title" ? 0 : GAP) : 0;
  }
  return {
    w,
    h: y - GAP,
    kind: "phone",
    lane: 84,
    ...at,
    code: at.code || null,
    desk: column(at.room, 0, 0.5),
    cabinet: column(at.room, 0.54, 0.46),
    table: inset(at.table, 4),
  };
}

export const clamp = (value, least, most) => Math.max(least, Math.min(most, value));
const column = (room, from, share) => inset(rect(room.x + room.w * from, room.y, room.w * share, room.h), 12);
const inset = (box, by) => rect(box.x + by, box.y + by, box.w - 2 * by, box.h - 2 * by);
