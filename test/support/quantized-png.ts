/** Reduces a screenshot to at most 256 colors (PNG, ISO/IEC 15948). */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const MAX_COLORS = 256;
const CHANNELS = 3;

/** @param png - 8 bits per channel without transparency, the format of Chromium's screenshots. */
export function quantizePng(png: Buffer): Buffer {
  const chunks = readChunks(png);
  const header = chunks.find(({ type }) => type === 'IHDR')?.content ?? Buffer.alloc(13);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  if (header[8] !== 8 || header[9] !== 2)
    throw new TypeError('the PNG must have 8 bits per channel and no transparency');
  const packed = chunks.filter(({ type }) => type === 'IDAT').map(({ content }) => content);
  const pixels = unfilter(inflateSync(Buffer.concat(packed)), width * CHANNELS, height);
  const { palette, indexOf } = commonColors(pixels);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1)
      rows[y * (width + 1) + 1 + x] = indexOf(pixels.readUIntBE((y * width + x) * CHANNELS, CHANNELS));
  }
  const indexed = Buffer.from(header);
  indexed[9] = 3;
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', indexed),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function readChunks(png: Buffer): readonly { readonly type: string; readonly content: Buffer }[] {
  const chunks: { type: string; content: Buffer }[] = [];
  for (let offset = SIGNATURE.length; offset < png.length; ) {
    const length = png.readUInt32BE(offset);
    chunks.push({
      type: png.toString('latin1', offset + 4, offset + 8),
      content: png.subarray(offset + 8, offset + 8 + length),
    });
    offset += length + 12;
  }
  return chunks;
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

function unfilter(raw: Buffer, stride: number, height: number): Buffer {
  const pixels = Buffer.alloc(stride * height);
  const pixelAt = (x: number, y: number) => (x < 0 || y < 0 ? 0 : (pixels[y * stride + x] ?? 0));
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const [left, up, corner] = [
        pixelAt(x - CHANNELS, y),
        pixelAt(x, y - 1),
        x < CHANNELS ? 0 : pixelAt(x - CHANNELS, y - 1),
      ];
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      pixels[y * stride + x] = (raw[y * (stride + 1) + 1 + x] ?? 0) + guess;
    }
  }
  return pixels;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((value) => Math.abs(guess - value));
  if ((toLeft ?? 0) <= (toUp ?? 0) && (toLeft ?? 0) <= (toCorner ?? 0)) return left;
  return (toUp ?? 0) <= (toCorner ?? 0) ? up : corner;
}

/** Finds the most frequent colors; `indexOf` maps other colors to the nearest of these. */
function commonColors(pixels: Buffer): {
  readonly palette: Buffer;
  readonly indexOf: (color: number) => number;
} {
  const counts = new Map<number, number>();
  for (let offset = 0; offset < pixels.length; offset += CHANNELS) {
    const color = pixels.readUIntBE(offset, CHANNELS);
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const common = [...counts]
    .sort(([one, ones], [other, others]) => others - ones || one - other)
    .slice(0, MAX_COLORS)
    .map(([color]) => color);
  const palette = Buffer.alloc(common.length * CHANNELS);
  common.forEach((color, index) => {
    palette.writeUIntBE(color, index * CHANNELS, CHANNELS);
  });
  const known = new Map(common.map((color, index) => [color, index]));
  const nearest = (color: number) => {
    let [best, leastDistance] = [0, Number.POSITIVE_INFINITY];
    common.forEach((candidate, index) => {
      const currentDistance = distance(color, candidate);
      if (currentDistance < leastDistance) [best, leastDistance] = [index, currentDistance];
    });
    known.set(color, best);
    return best;
  };
  return { palette, indexOf: (color) => known.get(color) ?? nearest(color) };
}

function distance(one: number, other: number): number {
  const part = (shift: number) => ((one >> shift) & 255) - ((other >> shift) & 255);
  return part(16) ** 2 + part(8) ** 2 + part(0) ** 2;
}
