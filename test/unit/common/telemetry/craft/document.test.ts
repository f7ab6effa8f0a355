import { craftDocument, layersDocument } from '../../../../../common/telemetry/craft/document';
import { TRIMMED_DSCP } from '../../../../../common/wire/ip/trimming';
import { craftFrame, dissectFrame, editLayers } from '../../../../../common/telemetry/craft/kinds';

const hex = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('hex');
const made = (text: string) => [...craftDocument(text, 'doc.yaml')];

test('a short document becomes a frame whose lengths, checksums and bitmap are filled in', () => {
  const [frame] = made(`
- ethernet
- ipv4: { source: 10.0.0.1, destination: 10.0.0.2 }
- udp: { destinationPort: 5000 }
- int-shim
- int-md:
    hops:
      - { nodeId: 1, hopLatency: 400 }
- payload: hi
`);
  const bytes = hex(frame?.bytes);
  expect(bytes.slice(28, 36)).toBe('455c0036');
  expect(bytes.slice(76, 80)).toBe('0022');
  // Shim of five words; header with two words per hop, eight hops to come, bits 0 and 2; one hop.
  expect(bytes.slice(84, 92)).toBe('10050000');
  expect(bytes.slice(92)).toBe('20000208a00000000000000000000001' + '00000190' + '6869');
});

test('what is given is written, though it is wrong, and is there again after dissecting', () => {
  const layers = [
    { kind: 'ethernet', etherType: 0x1234 },
    { kind: 'ipv4', totalLength: 90, checksum: 1 },
    { kind: 'udp', length: 30, checksum: 5, patch: [{ at: 0, bytes: 'ffff' }] },
    { kind: 'payload', text: 'x' },
  ];
  const frame = craftFrame(layers);
  expect(hex(frame.subarray(12, 18))).toBe('12344500005a');
  expect(hex(frame.subarray(34, 42))).toBe('ffff0000001e0005');
  const right = craftFrame([{ kind: 'ethernet' }, ...layers.slice(1)]);
  const known = dissectFrame(right).layers;
  expect(known).toMatchObject([
    { kind: 'ethernet' },
    { totalLength: 90, checksum: 1 },
    { length: 30, checksum: 5 },
    {},
  ]);
  expect(hex(craftFrame(known))).toBe(hex(right));
});

test('an edited layer changes what follows from it', () => {
  const frame = craftFrame([
    { kind: 'ethernet' },
    { kind: 'ipv4' },
    { kind: 'udp', destinationPort: 9 },
    { kind: 'payload', text: 'a' },
  ]);
  const longer = craftFrame(editLayers(dissectFrame(frame).layers, 'payload', { bytes: '616263' }));
  expect(dissectFrame(longer)).toMatchObject({
    faults: [],
    layers: [{}, { kind: 'ipv4' }, { kind: 'udp' }, { bytes: '616263' }],
  });
  expect(dissectFrame(longer).layers[1]).not.toHaveProperty('totalLength');
});

describe('data that a switch has cut to its headers', () => {
  /** A byte is left of 1000; the DSCP says it, or that in the shim of INT. */
  const cut = (dscp: number, isInt: boolean, more: readonly object[] = []): Uint8Array =>
    craftFrame([
      { kind: 'ethernet' },
      { kind: 'ipv4', ...(!isInt && { dscp }) },
      { kind: 'udp' },
      ...(isInt ? [{ kind: 'int-shim', originalDscp: dscp }, { kind: 'int-md' }] : []),
      { kind: 'hpcc', length: 1000 },
      ...more,
    ]);

  test.each([
    [false, [{ kind: 'payload', bytes: '00' }], 999],
    [true, [{ kind: 'payload', bytes: '00' }], 999],
    [true, [{ kind: 'token' }], 1000],
    [false, [{ kind: 'trailer', bytes: '0000' }], 1000],
  ])('with INT: %s, is told as such, with what is left', (isInt, more, cutBytes) => {
    const frame = cut(TRIMMED_DSCP, isInt, more);
    const { layers, ...rest } = dissectFrame(frame);
    expect(rest).toEqual({ faults: [], cutBytes });
    const left = more.map(({ kind }) => expect.objectContaining({ kind }) as object);
    expect(layers.slice(-2)).toEqual([
      expect.objectContaining({ kind: 'hpcc', length: 1000 }),
      ...left,
    ]);
    expect(hex(craftFrame(layers))).toBe(hex(frame));
  });

  const roce = (dscp: number, opcode: number, more: readonly object[]): Uint8Array =>
    craftFrame([
      { kind: 'ethernet' },
      { kind: 'ipv4', dscp },
      { kind: 'udp', destinationPort: 4791 },
      { kind: 'bth', opcode },
      ...more,
    ]);

  test.each([
    ['SEND only', 0x04, [{ kind: 'payload', bytes: '0102030405' }]],
    ['SEND only, nothing left', 0x04, []],
    ['WRITE only', 0x0a, [{ kind: 'reth', dmaLength: 4096 }]],
  ])('over RoCEv2 is told as such, without an ICRC: %s', (_name, opcode, more) => {
    const frame = roce(TRIMMED_DSCP, opcode, more);
    const { layers, ...rest } = dissectFrame(frame);
    expect(rest).toEqual({ faults: [], cutBytes: undefined });
    expect(layers.slice(3).map(({ kind }) => kind)).toEqual([
      'bth',
      ...more.map(({ kind }) => kind),
    ]);
    expect(hex(craftFrame(layers))).toBe(hex(frame));
  });

  test('is no acknowledgement of RoCEv2, and nothing without the DSCP', () => {
    const icrc = [{ kind: 'icrc' }];
    const whole = dissectFrame(roce(10, 0x04, icrc));
    expect([whole.cutBytes, whole.layers.at(-1)?.kind]).toEqual([0, 'icrc']);
    const answer = dissectFrame(roce(TRIMMED_DSCP, 0x11, [{ kind: 'aeth' }, ...icrc]));
    expect([answer.cutBytes, answer.layers.at(-1)?.kind]).toEqual([0, 'icrc']);
  });

  test('is damaged without the DSCP of those that were cut', () => {
    const { faults, cutBytes } = dissectFrame(cut(10, true));
    expect([String(faults[0]), cutBytes]).toEqual([expect.stringContaining('length must be 0'), 0]);
  });
});

test('documents say how often and when, and dissected layers are documents again', () => {
  const frames = made(
    'frames:\n  - { count: 3, intervalNs: 500000000, layers: [ethernet, { payload: a }] }',
  );
  expect(frames.map(({ time }) => time)).toEqual([
    { seconds: 0, nanoseconds: 0 },
    { seconds: 0, nanoseconds: 500000000 },
    { seconds: 1, nanoseconds: 0 },
  ]);
  const text = JSON.stringify(layersDocument(dissectFrame(frames[0]?.bytes as Uint8Array).layers));
  expect(hex(made(text)[0]?.bytes)).toBe(hex(frames[0]?.bytes));
});

test.each([
  ['- ethernte', 'doc.yaml:1: [0]: no such layer: ethernte (did you mean ethernet?)'],
  ['- ethernet\n- ipv4: { source: 10.0.0 }', 'doc.yaml:2: [1].ipv4.source: wanted an IPv4 address'],
  [
    '- int-md:\n    hops:\n      - { nodeid: 3 }',
    'doc.yaml:3: [0].int-md.hops[0].nodeid: no such field (did you mean nodeId?)',
  ],
  ['- int-md: { hops: 3 }', 'wanted a list, found 3'],
  [
    '- udp: { length: 70000 }',
    '[0].udp.length: wanted a whole number from 0 to 65535, found 70000',
  ],
  ['- udp: 5', 'wanted the fields of udp as a section, found 5'],
  ['- 5', 'wanted a layer, such as'],
  ['x: 3', 'doc.yaml:1: document: wanted a list of layers'],
  ['frames: [{ layers: [] }]', 'doc.yaml:1: frames[0].layers'],
  ['frames: [{ layers: [udb] }]', 'frames[0].layers[0]: no such layer: udb (did you mean udp?)'],
  [
    '- udp: { patch: [{ at: 7, bytes: ffff }] }',
    '[0].patch: wanted bytes within the 8 of the layer',
  ],
  [
    '- ipv6\n- hop-by-hop: { options: [{ trace: { remainingWords: 120 } }] }',
    'at most 255 bytes, found 490',
  ],
  [
    '- report: { reports: [{ layers: [ethernet, udq] }] }',
    '[0].report.reports[0].layers[1]: no such layer: udq',
  ],
])('%j is refused in one sentence that says where', (text, sentence) => {
  expect(() => made(text)).toThrow(sentence);
});
