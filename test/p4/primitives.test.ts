import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { bmv2RunsStf } from '../../switch/io/bmv2/run-stf';
import { EXECUTORS } from '../../switch/codegen/executors';
import { compareWithBmv2 } from '../support/differential/bmv2-lockstep';
import { throughEmbedded } from '../support/differential/through-embedded';
import { toHex } from '../support/hex';
import { describeIf } from '../support/requires';
import { sampled } from '../support/sampled';
import { PRIMITIVE_CALLS } from './support/primitive-calls';
import { primitiveJson, waysOf } from './support/primitive-programs';
import type { PortPacket, StfRequest } from '../../switch/stf/run/requests';
import type { PrimitiveCall } from './support/primitive-calls';

/** Operands a and b of the packets; b = 0 leaves the header and the stack out. */
const OPERANDS: readonly (readonly [number, number])[] = [
  [0, 0],
  [1, 0x1234],
  [0xfffe, 7],
  [0x8003, 0],
];
const BEFORE = 0xabcd;

/** Sessions of the clones. */
const REQUESTS: readonly StfRequest[] = [4, 5].map((session) => ({
  kind: 'mirror',
  session,
  to: { port: session },
}));

function packet(way: number, [a, b]: readonly [number, number]): PortPacket {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt8(way, 0);
  bytes.writeUInt16BE(a, 1);
  bytes.writeUInt16BE(b, 3);
  bytes.writeUInt16BE(BEFORE, 5);
  bytes.set([0xe1, 0x51, 0x52, 1, 2, 3, 4, 5, 6], 7);
  return { port: 0, bytes };
}

const packetsOf = (primitive: PrimitiveCall): PortPacket[] =>
  waysOf(primitive).flatMap((_, way) => OPERANDS.map((operands) => packet(way, operands)));

/** Shows the packets that leave, without the byte that chose the way. */
const shown = (outs: readonly PortPacket[]): string[] =>
  outs.map(({ port, bytes }) => `${port} ${toHex(bytes.subarray(1))}`);

const text = ({ port, bytes }: PortPacket): string => `${port} ${toHex(bytes)}`;

const rows = PRIMITIVE_CALLS.map((each) => [each.name, each] as const);

describe('called on parameters, locals and copies, in nested actions and controls', () => {
  test.each(rows)('%s does what it does directly, on both executors', (_, primitive) => {
    const json = primitiveJson(primitive);
    const packets = packetsOf(primitive);
    for (const [name, executor] of EXECUTORS) {
      const outs = throughEmbedded(json, { executor, requests: REQUESTS, packets }).map(shown);
      const direct = outs.slice(0, OPERANDS.length);
      waysOf(primitive).forEach((way, i) => {
        const found = outs.slice(i * OPERANDS.length, (i + 1) * OPERANDS.length);
        expect([name, way.name, found]).toEqual([name, way.name, direct]);
      });
    }
  });

  const lack = 'simple_switch_grpc and simple_switch_CLI are not both on PATH';
  describeIf(bmv2RunsStf(), 'on bmv2', lack, () => {
    let folder: string;
    beforeAll(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-primitives-'))));
    afterAll(() => fs.rmSync(folder, { recursive: true }));

    test.concurrent.each(sampled('primitives are not run on bmv2', rows, 3))(
      '%s does what it does here',
      async (_, primitive) => {
        const json = primitiveJson(primitive);
        const file = path.join(folder, `${primitive.name}.json`);
        fs.writeFileSync(file, json);
        const packets = packetsOf(primitive);
        const [first] = [...EXECUTORS.values()].map((executor) =>
          throughEmbedded(json, { executor, requests: REQUESTS, packets }),
        );
        const expected = packets.map((each, i) => ({ packet: each, outs: first?.[i] ?? [] }));
        await compareWithBmv2({ json: file, requests: REQUESTS, expected, comparable: text });
      },
      600_000,
    );
  });
});
