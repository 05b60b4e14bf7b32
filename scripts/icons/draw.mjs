// Draws the jack: shapes as signed distances, blended with smooth edges.

/** Distances are in units of the whole picture: 0 is one edge, 1 the other. Negative means inside. */
const disc = (radius) => (x, y) => Math.hypot(x - 0.5, y - 0.5) - radius;

const ring = (radius, width) => (x, y) => Math.abs(Math.hypot(x - 0.5, y - 0.5) - radius) - width / 2;

const tile = (half, corner) => (x, y) => {
  const dx = Math.abs(x - 0.5) - half + corner;
  const dy = Math.abs(y - 0.5) - half + corner;
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - corner;
};

/** A ring in eight dashes, with as much gap as dash. */
const dashes = (radius, width) => (x, y) => {
  const turn = (Math.atan2(y - 0.5, x - 0.5) / Math.PI + 1) * 4;
  const gap = (Math.abs((turn % 1) - 0.5) - 0.3) * ((2 * Math.PI * radius) / 8);
  return Math.max(ring(radius, width)(x, y), gap);
};

const ground = { shape: tile(0.46, 0.2), colour: '#14161a' };

/** The app's icon, and one for the tray in each state. */
export const PICTURES = {
  app: [ground, { shape: ring(0.27, 0.075), colour: '#e8eaed' }, { shape: disc(0.105), colour: '#5cc8b4' }],
  agent: [
    { shape: ring(0.38, 0.13), colour: '#8f7fff' },
    { shape: disc(0.17), colour: '#8f7fff' },
  ],
  you: [{ shape: disc(0.44), colour: '#e39b34' }],
  idle: [{ shape: ring(0.38, 0.13), colour: '#8a929e' }],
  paused: [{ shape: dashes(0.38, 0.13), colour: '#8a929e' }],
};

/** RGBA bytes of a picture, `size` pixels wide and high. */
export function drawPicture(layers, size) {
  const pixels = Buffer.alloc(size * size * 4);
  for (let at = 0; at < size * size; at += 1) {
    const [x, y] = [((at % size) + 0.5) / size, (Math.floor(at / size) + 0.5) / size];
    pixels.set(blend(layers, x, y, size), at * 4);
  }
  return pixels;
}

function blend(layers, x, y, size) {
  let colour = [0, 0, 0];
  let alpha = 0;
  for (const layer of layers) {
    const cover = Math.min(Math.max(0.5 - layer.shape(x, y) * size, 0), 1);
    const total = cover + alpha * (1 - cover);
    const above = rgb(layer.colour);
    if (total > 0) colour = colour.map((below, i) => (above[i] * cover + below * alpha * (1 - cover)) / total);
    alpha = total;
  }
  return [...colour.map(Math.round), Math.round(alpha * 255)];
}

const rgb = (hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
