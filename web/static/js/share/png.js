// A drawing as a PNG file that is light enough for messengers: browsers write theirs in haste, several times
// as heavy. The browser's own packing does the work; the format around it is a few lines.

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? 0xedb88320 ^ (sum >>> 1) : sum >>> 1;
  return sum;
});

// The canvas must be covered all over: what shines through is not told.
/** @param {HTMLCanvasElement} canvas */
export async function packed(canvas) {
  const { width, height } = canvas;
  const drawing = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const dots = drawing.getImageData(0, 0, width, height).data;
  const head = new DataView(new ArrayBuffer(13));
  head.setUint32(0, width);
  head.setUint32(4, height);
  head.setUint32(8, 0x08020000); // eight bits each of red, green and blue
  const rows = new Blob([colourRows(dots, width, height)]).stream().pipeThrough(new CompressionStream("deflate"));
  const body = new Uint8Array(await new Response(rows).arrayBuffer());
  return new Blob(
    [
      Uint8Array.from(SIGNATURE),
      chunk("IHDR", new Uint8Array(head.buffer)),
      chunk("IDAT", body),
      chunk("IEND", new Uint8Array()),
    ],
    { type: "image/png" },
  );
}

/**
 * @param {Uint8ClampedArray} dots
 * @param {number} width
 * @param {number} height
 */
function colourRows(dots, width, height) {
  const rows = new Uint8Array((3 * width + 1) * height);
  let to = 0;
  for (let row = 0; row < height; row += 1) {
    to += 1; // the row as it is: of plain colours nothing packs better
    for (let from = 4 * width * row; from < 4 * width * (row + 1); from += 4) {
      rows[to++] = dots[from];
      rows[to++] = dots[from + 1];
      rows[to++] = dots[from + 2];
    }
  }
  return rows;
}

/**
 * @param {string} name
 * @param {Uint8Array} body
 */
function chunk(name, body) {
  const whole = new Uint8Array(body.length + 12);
  const view = new DataView(whole.buffer);
  view.setUint32(0, body.length);
  whole.set(
    [...name].map((letter) => letter.charCodeAt(0)),
    4,
  );
  whole.set(body, 8);
  let sum = 0xffffffff;
  for (let at = 4; at < body.length + 8; at += 1) sum = TABLE[(sum ^ whole[at]) & 255] ^ (sum >>> 8);
  view.setUint32(body.length + 8, ~sum >>> 0);
  return whole;
}
