import { OUTER_LINKS } from './support/outer-links';
import { sourceFiles } from './support/source-files';

const PAGES = /^((README|CONTRIBUTING|SECURITY)\.md|(docs|mininet|examples|controller)\/.*\.md)$/;

/** Addresses of a page beyond this machine, without the place in their page. */
function outerLinks(text: string): string[] {
  const plain = text.replace(/^```[^\n]*\n[\s\S]*?^```|`[^`\n]+`/gm, '');
  return [...plain.matchAll(/https?:\/\/[^\s)>\]"']+/g)].map(([address]) =>
    address.replace(/#.*$/, '').replace(/[.,;]$/, ''),
  );
}

describe('links of pages to the world', () => {
  const linked = new Map<string, string>();
  for (const { path: file, text } of sourceFiles(PAGES)) {
    for (const address of outerLinks(text)) linked.set(address, file);
  }

  test('all stand in the list of those that are looked up by hand', () => {
    const unknown = [...linked].filter(([address]) => !(address in OUTER_LINKS));
    expect(unknown).toEqual([]);
  });

  test('the list has no others, and no address without encryption', () => {
    expect(Object.keys(OUTER_LINKS).filter((address) => !linked.has(address))).toEqual([]);
    expect([...linked.keys()].filter((address) => !address.startsWith('https://'))).toEqual([]);
  });

  test('all but one draft were looked up, on a day that has a date', () => {
    const missing = Object.keys(OUTER_LINKS).filter((one) => OUTER_LINKS[one] === undefined);
    expect(missing).toEqual(['https://datatracker.ietf.org/doc/draft-miao-rtgwg-hpccplus/']);
    const days = Object.values(OUTER_LINKS)
      .filter((found) => found !== undefined)
      .map((found) => (typeof found === 'string' ? found : found.day));
    expect(days.filter((day) => Number.isNaN(Date.parse(day)))).toEqual([]);
  });

  test('what was found in place of an address is of the same site', () => {
    const site = (address: string): string =>
      new URL(address).hostname.split('.').slice(-2).join('.');
    const strange = Object.entries(OUTER_LINKS).filter(
      ([address, found]) =>
        typeof found === 'object' && (found.page === address || site(found.page) !== site(address)),
    );
    expect(strange).toEqual([]);
  });
});

test('addresses in code are none, and places and stops are cut off', () => {
  const text = 'see https://a.example/x#y. [z](https://b.example) `https://c.example`';
  expect(outerLinks(text)).toEqual(['https://a.example/x', 'https://b.example']);
});
