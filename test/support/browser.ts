import { existsSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import type { AxeResults } from 'axe-core';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';

/** Chromium of the system, as Debian calls it; undefined where there is none. */
export const CHROMIUM = (process.env['PATH'] ?? '')
  .split(':')
  .map((folder) => path.join(folder, 'chromium'))
  .find((file) => existsSync(file));

export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });

/** Opens the details of a run that are folded under a subject, with the keyboard. */
export async function openFold(page: Page, subject: string): Promise<void> {
  const fold = page.locator('details.fold', { has: page.locator(`h2:text-is("${subject}")`) });
  if ((await fold.getAttribute('open')) !== null) return;
  await fold.locator('> summary').focus();
  await page.keyboard.press('Enter');
}

/** Opens all that is folded. */
export const openAll = (page: Page): Promise<unknown> =>
  page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');

/** Errors of scripts, and requests for anything beyond the page's own server. */
export function watchPage(page: Page, origin: string): readonly string[] {
  const found: string[] = [];
  page.on('pageerror', (error) => found.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') found.push(message.text());
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(data|blob):/.test(url)) found.push(url);
  });
  return found;
}

/** Lists the violations that axe-core finds, each with its first place; also those out of sight. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.addStyleTag({ content: '.chart { content-visibility: visible !important }' });
  const source = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(source);
  const results = await page.evaluate<AxeResults>('axe.run()');
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
}
