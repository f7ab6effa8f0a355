import * as fs from 'node:fs';
import type { Browser, Page } from 'playwright-core';

const UPDATES = process.env['HPCC_UPDATE_GOLDEN'] === '1';
/** Mean difference of colours in squares of a picture, of 255: fonts of another machine make some, another chart more. */
const LARGEST_MEAN = 6;
const TYPE = { png: 'image/png', webp: 'image/webp' } as const;

/** Compares two pictures in coarse squares, by the browser that draws them. @returns the mean difference. */
const COMPARED = `async (first, second) => {
  const squares = async (data) => {
    const image = new Image();
    image.src = data;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [55, 38];
    const context = canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return context.getImageData(0, 0, canvas.width, canvas.height).data;
  };
  const [one, other] = [await squares(first), await squares(second)];
  return one.reduce((sum, value, i) => sum + Math.abs(value - other[i]), 0) / one.length;
}`;

export const dataUrl = (bytes: Buffer, type: keyof typeof TYPE): string =>
  `data:${TYPE[type]};base64,${bytes.toString('base64')}`;

/** Mean difference of two pictures. */
export async function difference(
  browser: Browser,
  pictures: readonly [Buffer, Buffer],
  type: keyof typeof TYPE = 'png',
): Promise<number> {
  const blank = await browser.newPage();
  const data = pictures.map((bytes) => JSON.stringify(dataUrl(bytes, type)));
  const mean = await blank.evaluate(`(${COMPARED})(${data.join(', ')})`);
  await blank.close();
  return mean as number;
}

/** Holds a picture to a file, which HPCC_UPDATE_GOLDEN=1 writes anew. */
export async function expectPicture(
  browser: Browser,
  picture: Buffer,
  file: string,
): Promise<void> {
  const type = file.endsWith('.webp') ? 'webp' : 'png';
  if (UPDATES) fs.writeFileSync(file, picture);
  const mean = await difference(browser, [picture, fs.readFileSync(file)], type);
  expect(mean).toBeLessThan(LARGEST_MEAN);
}

export const isAnother = (mean: number): boolean => mean > LARGEST_MEAN;

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
