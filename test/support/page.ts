import type { PageData } from '../../emulator/view/data/page-data';

/** The data that a page carries in itself. */
export function pageDataOf(html: string): PageData {
  const [, text] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html) ?? [];
  if (text === undefined) throw new Error('the page has no data in itself');
  return JSON.parse(text) as PageData;
}
