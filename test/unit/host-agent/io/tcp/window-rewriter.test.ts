import fc from 'fast-check';
import { anonymousMemory, libc } from '../../../../../common/io/net/libc';
import { fillChecksum } from '../../../../../common/wire/ip/checksum';
import { WindowRewriter } from '../../../../../host-agent/io/tcp/window-rewriter';
import { windowKey } from '../../../../../host-agent/tcp/window-program';
import { canMakeNamespaces, makeLeg, removeLeg } from '../../../../support/live-network';
import { lowerWindow } from '../../../../support/lower-window';
import { describeIf } from '../../../../support/requires';
import { arrivingSegment } from '../../../../support/simulated-tcp';

const PROGRAM_TEST = 10;
const ATTRIBUTE_BYTES = 128;

/** Runs a program of the kernel on a frame, without any interface; returns the frame as it leaves it. */
function runBpfProgram(programFd: number, frame: Uint8Array): Uint8Array {
  const input = anonymousMemory(frame.length);
  const output = anonymousMemory(frame.length);
  input.bytes.set(frame);
  const attributes = new Uint8Array(ATTRIBUTE_BYTES);
  const view = new DataView(attributes.buffer);
  view.setUint32(0, programFd, true);
  view.setUint32(8, frame.length, true);
  view.setUint32(12, frame.length, true);
  view.setBigUint64(16, input.address, true);
  view.setBigUint64(24, output.address, true);
  view.setUint32(32, 1, true);
  try {
    if (libc().bpf(PROGRAM_TEST, attributes, attributes.length) < 0) {
      throw new Error(`running a program: ${libc().strerror(libc().errno())}`);
    }
    return output.bytes.slice(0, frame.length);
  } finally {
    input.release();
    output.release();
  }
}

const KEY = {
  localAddress: 0x0a00_0001,
  localPort: 40_000,
  remoteAddress: 0x0a00_0002,
  remotePort: 5201,
};
const SEGMENT = { ipOffset: 14, offset: 34, end: 54, protocol: 6 };

/** A frame that is long enough for the kernel to run programs on. */
function acknowledgement(changed: Parameters<typeof arrivingSegment>[0]): Uint8Array {
  const frame = new Uint8Array(64);
  frame.set(arrivingSegment(changed));
  fillChecksum(frame, SEGMENT, 50);
  return frame;
}

test('the key of a connection is its arriving 5-tuple, byte by byte', () => {
  expect(Buffer.from(windowKey(KEY)).toString('hex')).toBe('0a0000020a00000114519c40');
});

describeIf(canMakeNamespaces(), 'the program of the kernel', 'needs root', () => {
  let leg: ReturnType<typeof makeLeg>;
  let rewriter: WindowRewriter;

  beforeAll(() => {
    leg = makeLeg();
    rewriter = new WindowRewriter(leg.outer);
  });

  afterAll(() => {
    rewriter.close();
    removeLeg(leg);
  });

  const run = (frame: Uint8Array, lapseMs?: number): Uint8Array => {
    rewriter.beat(lapseMs);
    return runBpfProgram(rewriter.programFd, frame);
  };

  test('lowers windows as the model does, and counts them', () => {
    const fields = {
      sequence: fc.nat(),
      acknowledgement: fc.nat(),
      limit: fc.integer({ min: 1, max: 0xffff }),
    };
    fc.assert(
      fc.property(fc.record(fields), ({ limit, ...numbers }) => {
        const frame = acknowledgement({ key: KEY, ...numbers });
        rewriter.limit(KEY, limit);
        const before = rewriter.lowered;
        const expected = Uint8Array.from(frame);
        const isLowered = lowerWindow(expected, limit);
        expect(run(frame)).toEqual(expected);
        expect(rewriter.lowered - before).toBe(isLowered ? 1 : 0);
      }),
    );
  });

  test.each([
    ['of another port', { key: { ...KEY, remotePort: 5202 } }],
    ['of another address', { key: { ...KEY, remoteAddress: 9 } }],
    ['of a handshake', { key: KEY, flags: 0x12 }],
    ['without an acknowledgement', { key: KEY, flags: 0x04 }],
  ])('leaves segments alone: %s', (_what, changed) => {
    rewriter.limit(KEY, 1);
    const frame = acknowledgement(changed);
    expect(run(frame)).toEqual(frame);
  });

  test.each([
    ['UDP', 23, 17],
    ['IPv6', 12, 0x86],
    ['IPv4 with options', 14, 0x46],
    ['telemetry', 15, 0x5c],
  ])('leaves other frames alone: %s', (_what, at, value) => {
    rewriter.limit(KEY, 1);
    const frame = acknowledgement({ key: KEY }).with(at, value);
    expect(run(frame)).toEqual(frame);
  });

  test('attack 14: leaves all windows alone while its agent stands still, until it lives again', () => {
    rewriter.limit(KEY, 1);
    const frame = acknowledgement({ key: KEY });
    const lowered = Uint8Array.from(frame);
    lowerWindow(lowered, 1);
    expect(run(frame)).toEqual(lowered);
    expect(run(frame, -1)).toEqual(frame);
    expect(run(frame)).toEqual(lowered);
  });

  test('leaves a connection alone that was released', () => {
    rewriter.limit(KEY, 1);
    rewriter.release(KEY);
    const frame = acknowledgement({ key: KEY });
    expect(run(frame)).toEqual(frame);
    expect(() => rewriter.release(KEY)).toThrow('No such file');
  });

  test('cannot be attached where there is no interface', () => {
    expect(() => new WindowRewriter('no-such-if')).toThrow('--rewrite-window on no-such-if');
  });
});
