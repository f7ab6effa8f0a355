import { inlineConstants } from '../../../../switch/codegen/compile';

/** The text of the program without the declarations, after they were put in place. */
const inlined = (line: string): string =>
  inlineConstants(`const ipv4_ttl = 64;\nconst udp = 5;\n${line}\n`).trimEnd();

describe('inlining constants', () => {
  test.each([
    ['words[ipv4_ttl] = words[ipv4_ttl + 1];', 'words[64] = words[64 + 1];'],
    ['if (valid[udp] === 1) {', 'if (valid[5] === 1) {'],
    ['  const udp_2 = words[ipv4_ttl];', '  const udp_2 = words[64];'],
    ['ipv4_ttl', '64'],
  ])('puts numbers in the place of names: %s', (from, to) => {
    expect(inlined(from)).toBe(to);
  });

  test.each([
    'packet.udp = 1;',
    'log("udp \\" ipv4_ttl");',
    '// action set of udp',
    'state$udp(udp_ipv4_ttl);',
    'words[t] = 1;',
  ])('leaves what is no use of a name: %s', (line) => {
    expect(inlined(line)).toBe(line);
  });

  test('leaves constants that are no numbers, and those of inner blocks', () => {
    const text = 'const table = state.tableList[0];\n{\n  const t = 7;\n  f(table, t);\n}\n';
    expect(inlineConstants(text)).toBe(text);
  });
});
