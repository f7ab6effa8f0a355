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

  test('those that were looked up have the day', () => {
    const days = Object.values(OUTER_LINKS).filter((day) => day !== undefined);
    expect(days.length).toBeGreaterThan(0);
    expect(days.filter((day) => Number.isNaN(Date.parse(day)))).toEqual([]);
  });
});

test('addresses in code are none, and places and stops are cut off', () => {
  const text = 'see https://a.example/x#y. [z](https://b.example) `https://c.example`';
  expect(outerLinks(text)).toEqual(['https://a.example/x', 'https://b.example']);
});
