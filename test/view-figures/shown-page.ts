import type { Browser, Page } from 'playwright-core';
import { serveView } from '../../emulator/view/server/view-server';
import type { ViewSession } from '../../emulator/view/server/view-session';

/** The page of a session once its queue is drawn, and how long that took from the question on, in ms. */
export interface ShownPage {
  readonly page: Page;
  readonly readyMs: string;
}

/** Shows a page, lets somebody look, and takes it away whatever happens. */
export async function withShown<T>(
  browser: Browser,
  session: ViewSession,
  look: (shown: ShownPage) => Promise<T>,
): Promise<T> {
  const server = await serveView(session, 0);
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  try {
    await page.goto(server.url);
    await page.waitForSelector('#chart-queue canvas');
    const ready = await page.evaluate('document.documentElement.dataset.ready');
    return await look({ page, readyMs: String(ready) });
  } finally {
    await page.close();
    await server.close();
  }
}
