import * as fs from 'node:fs';
import type { Browser, Page } from 'playwright-core';

const UPDATES = process.env['HPCC_UPDATE_GOLDEN'] === '1';
/** Difference of the tile that differs most, of 255: fonts of another machine make some, a part that is missing more. */
const LARGEST = 5;
const TYPE = { png: 'image/png', webp: 'image/webp' } as const;

/**
 * Compares two pictures in coarse squares, by the browser that draws them. @returns the mean difference of colours
 * in the tile where it is largest, of 5 by 4.
 */
const COMPARED = `async (first, second) => {
  const [width, height, across, down] = [60, 40, 5, 4];
  const squares = async (data) => {
    const image = new Image();
    image.src = data;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, width, height);
    return context.getImageData(0, 0, width, height).data;
  };
  const [one, other] = [await squares(first), await squares(second)];
  const tiles = new Array(across * down).fill(0);
  one.forEach((value, i) => {
    const [x, y] = [(i >> 2) % width, Math.floor((i >> 2) / width)];
    const tile = Math.floor((x * across) / width) + across * Math.floor((y * down) / height);
    tiles[tile] += Math.abs(value - other[i]);
  });
  return (Math.max(...tiles) * across * down) / one.length;
}`;

export const dataUrl = (bytes: Buffer, type: keyof typeof TYPE): string =>
  `data:${TYPE[type]};base64,${bytes.toString('base64')}`;

/** Difference of two pictures where they differ most. */
export async function difference(
  browser: Browser,
  pictures: readonly [Buffer, Buffer],
  type: keyof typeof TYPE = 'png',
): Promise<number> {
  const blank = await browser.newPage();
  const data = pictures.map((bytes) => JSON.stringify(dataUrl(bytes, type)));
  const found = await blank.evaluate(`(${COMPARED})(${data.join(', ')})`);
  await blank.close();
  return found as number;
}

/** Holds a picture to a file, which HPCC_UPDATE_GOLDEN=1 writes anew. */
export async function expectPicture(
  browser: Browser,
  picture: Buffer,
  file: string,
): Promise<void> {
  const type = file.endsWith('.webp') ? 'webp' : 'png';
  if (UPDATES) fs.writeFileSync(file, picture);
  const found = await difference(browser, [picture, fs.readFileSync(file)], type);
  expect(found).toBeLessThan(LARGEST);
}

export const isAnother = (found: number): boolean => found > LARGEST;

/** View of a page at half its size, as WebP: a tenth of the bytes of a PNG, and enough to compare. */
export async function halfSize(page: Page): Promise<Buffer> {
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 50,
    clip: { x: 0, y: await page.evaluate<number>('scrollY'), width, height, scale: 0.5 },
  });
  await session.detach();
  return Buffer.from(data, 'base64');
}
