// A jest test of a P4 program of one's own: packets in, packets out, on the embedded switch.
import { readFileSync } from 'node:fs';
import { runStfText } from 'hpcc-plus-plus/stf';

const program = readFileSync('router.json', 'utf8');
const routes = `
  add routes hdr.ipv4.dst_addr:0x0A000100/24 forward(port:1, next_hop:0x000000000101)
  add routes hdr.ipv4.dst_addr:0x0A000200/24 forward(port:2, next_hop:0x000000000201)
`;

/** An IPv4 header without payload. */
const ipv4 = (ttl: string, checksum: string, destination: string): string =>
  `0800 45 00 0014 00000000 ${ttl} 11 ${checksum} 0A000909 ${destination}`;

describe.each(['interpreter', 'generated'] as const)('the router, run by the %s', (executor) => {
  const run = (test: string) =>
    runStfText(program, routes + test, { file: 'router.test.ts', executor });

  test('sends to the longest prefix, one hop less to live', () => {
    const verdict = run(`
      packet 3 0000000000FF 000000000001 ${ipv4('40', '5BCA', '0A000207')}
      expect 2 000000000201 0000000000FF ${ipv4('3F', '5CCA', '0A000207')} $
    `);
    expect(verdict).toMatchObject({ kind: 'pass' });
  });

  test('drops what has no route and what has lived too long', () => {
    const verdict = run(`
      packet 3 0000000000FF 000000000001 ${ipv4('40', '0000', '0B000001')}
      packet 3 0000000000FF 000000000001 ${ipv4('01', '0000', '0A000207')}
      no_packet
    `);
    expect(verdict).toMatchObject({ kind: 'pass' });
  });

  test('says what differs where a test expects something else', () => {
    const verdict = run(`
      packet 3 0000000000FF 000000000001 ${ipv4('40', '0000', '0A000207')}
      expect 1
    `);
    expect(verdict).toMatchObject({ kind: 'fail' });
  });
});
