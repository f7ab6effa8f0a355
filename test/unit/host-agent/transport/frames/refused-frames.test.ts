import { writeUint16 } from '../../../../../common/wire/bytes';
import { HPCC_DATA } from '../../../../../common/wire/hpcc/hpcc-transport';
import { checksumWords, finishChecksum } from '../../../../../common/wire/ip/checksum';
import { newCarrier } from '../../../../../host-agent/carrier/carriers';
import type { CarrierName } from '../../../../../host-agent/carrier/carriers';
import { SlabFrames } from '../../../../../host-agent/transport/frames/frame-memory';
import { FrameTemplate, tailOf } from '../../../../../host-agent/transport/frames/frame-template';
import type { CommonAddressing } from '../../../../../host-agent/transport/frames/prepared-headers';
import { prepareHeaders } from '../../../../../host-agent/transport/frames/prepared-headers';
import { parseFrame } from '../../../../../host-agent/transport/frames/received-frame';
import { addressOf, macOf } from '../../../../support/hosts';

const ADDRESSING = {
  sourceMac: macOf(1),
  destinationMac: macOf(2),
  sourcePort: 50_000,
  sourceAddress: addressOf(1),
  destinationAddress: addressOf(2),
  intHopLimit: 8,
};
const PAYLOAD = 100;

const carrierNamed = (name: CarrierName) =>
  newCarrier({ name }, { linkRate: 100e9, hopLimit: 8, asksSojourn: false });

/** A data frame as it leaves a host, in one piece. */
function frameOf(name: CarrierName, change: Partial<CommonAddressing> = {}): Uint8Array {
  const template = new FrameTemplate(
    { ...ADDRESSING, ...change },
    { type: HPCC_DATA, flowId: 7, generation: 3 },
    (common) => prepareHeaders(common, carrierNamed(name)),
  );
  const fields = { flags: 0, sequence: 5, length: PAYLOAD, identification: 9 };
  return template.emit(fields, new SlabFrames(), tailOf(new Uint8Array(PAYLOAD).fill(0xa5)));
}

/** The header whose fault it is, or another reason; `taken` if there is none. */
function refusal(name: CarrierName, bytes: Uint8Array): string {
  const frame = parseFrame({ bytes, length: bytes.length }, addressOf(2), carrierNamed(name));
  if (!('reason' in frame)) return 'taken';
  return frame.reason === 'malformed' ? frame.fault.header : frame.reason;
}

function changed(bytes: Uint8Array, at: number, value: number): Uint8Array {
  const copy = bytes.slice();
  copy[at] = value;
  return copy;
}

/** With another protocol behind IPv4, and a checksum that is right again. */
function ofProtocol(bytes: Uint8Array, protocol: number): Uint8Array {
  const copy = changed(bytes, 23, protocol);
  writeUint16(copy, 24, 0);
  writeUint16(copy, 24, finishChecksum(checksumWords(copy, 14, 34)));
  return copy;
}

describe('a frame that is refused', () => {
  it('is one of Ethernet that is too short for its header', () => {
    const frame = frameOf('int');
    const parse = (length: number) =>
      parseFrame({ bytes: frame.subarray(0, length), length }, addressOf(2));
    expect(parse(13)).toMatchObject({
      fault: { header: 'ethernet', offset: 0, reason: 'needs 14 bytes, 13 left' },
    });
    expect(refusal('int', frame.subarray(0, 14))).toBe('ipv4');
    // Its header is all there, and says that the rest is of no interest.
    expect(refusal('int', changed(frame, 12, 0x86).subarray(0, 14))).toBe('other-protocol');
  });

  it.each(['int', 'ifa', 'csig', 'padding'] as const)(
    'is one of another protocol than UDP, where the host speaks %s',
    (name) => {
      // CSIG stands before IP, whose bytes lie elsewhere then.
      const frame = frameOf(name, name === 'csig' ? { intHopLimit: undefined } : {});
      expect(refusal(name, frame)).toBe('taken');
      expect(refusal(name, ofProtocol(frame, 6))).toBe('other-protocol');
    },
  );

  it('is one of IPv6 between addresses that are no hosts', () => {
    const frame = frameOf('ioam');
    const destinationAt = 14 + 24;
    expect(refusal('ioam', frame)).toBe('taken');
    expect(refusal('ioam', changed(frame, destinationAt, 0xfe))).toBe('other-protocol');
  });

  it.each([
    ['csig', 'a tag that is cut short', (frame: Uint8Array) => frame.subarray(0, 15), 'csig'],
    ['ifa', 'a header before TCP', (frame: Uint8Array) => changed(frame, 35, 6), 'ifa'],
    // Behind 4 bytes of IFA and 8 of UDP.
    ['ifa', 'part of a record', (frame: Uint8Array) => changed(frame, 49, 1), 'ifa-metadata'],
    ['ioam', 'options before TCP', (frame: Uint8Array) => changed(frame, 54, 6), 'ipv6-options'],
  ] as const)('is one of %s with %s, for that reason', (name, _what, change, header) => {
    const frame = frameOf(name);
    expect(refusal(name, frame)).toBe('taken');
    expect(refusal(name, change(frame))).toBe(header);
  });

  it.each([
    ['another version', 0x23],
    ['a reserved bit', 0x1b],
  ])('is one whose shim has %s', (_what, value) => {
    const frame = frameOf('int', { intHopLimit: undefined, shim: { digest: true, time: true } });
    expect(refusal('int', frame)).toBe('taken');
    // Without a checksum the shim alone tells.
    const unchecked = changed(changed(frame, 40, 0), 41, 0);
    expect(refusal('int', changed(unchecked, 42, value))).toBe('path-shim');
  });

  it('is one of INT whose shim does not say where the data begins', () => {
    const unchecked = changed(changed(frameOf('int'), 40, 0), 41, 0);
    expect(refusal('int', unchecked)).toBe('taken');
    expect(refusal('int', changed(unchecked, 43, 2))).toBe('int-md');
  });
});

describe('a trace of IOAM that is refused', () => {
  it('costs the telemetry but not the data, and says why', () => {
    const frame = frameOf('ioam');
    const optionAt = frame.indexOf(0x31, 54 + 2);
    // Behind the option's type and length there is a reserved byte, and then the type of IOAM.
    const broken = changed(frame, optionAt + 3, 9);
    const parsed = parseFrame(
      { bytes: broken, length: broken.length },
      addressOf(2),
      carrierNamed('ioam'),
    );
    expect(parsed).toMatchObject({
      telemetryLength: 0,
      telemetryFault: { header: 'ioam' },
      transport: { flowId: 7, length: PAYLOAD },
    });
  });
});
