import { readUint16, readUint32 } from '../../../../common/wire/bytes';
import { WireFault } from '../../../../common/wire/fault';
import { parseTelemetry, probeFrame, responseFrame } from '../../../../host-agent/tcp/probe-frame';
import type { TelemetrySegment } from '../../../../host-agent/tcp/probe-frame';
import { fillSums, withHop } from '../../../support/simulated-tcp';

const KEY = {
  localAddress: 0x0a00_0001,
  localPort: 12_345,
  remoteAddress: 0x0a00_0002,
  remotePort: 80,
};
const MIRRORED = {
  localAddress: KEY.remoteAddress,
  localPort: KEY.remotePort,
  remoteAddress: KEY.localAddress,
  remotePort: KEY.localPort,
};
const HOP = {
  switchId: 7,
  portId: 3,
  queueBytes: 4096,
  capacity: 20e6,
  ingressPortId: 2,
  queueId: 0,
  timestamp: 5,
  timestampModulus: 2 ** 48,
  txBytes: 9,
  txBytesModulus: 2 ** 48,
};

const probe = (changed = {}): Uint8Array =>
  probeFrame({
    key: KEY,
    localMac: 0x0200_0000_0001,
    remoteMac: 0x0200_0000_0002,
    unacknowledged: 0x1000,
    expected: 0x2000,
    id: 9,
    hopLimit: 5,
    dscp: 0,
    ...changed,
  });

const parsed = (frame: Uint8Array): TelemetrySegment => {
  const telemetry = parseTelemetry(frame);
  if (telemetry === undefined || telemetry instanceof WireFault) throw new Error(String(telemetry));
  return telemetry;
};

const answered = (frame: Uint8Array): Uint8Array => {
  const response = responseFrame(frame);
  if (response === undefined || response instanceof WireFault) throw new Error(String(response));
  return response;
};

const TCP_AT = 34;

describe('a telemetry probe in a TCP connection', () => {
  test('is the example of the format: DSCP, old sequence number, INT header for five hops', () => {
    const frame = probe({ expected: 0x2000 });
    // From IPv4 on, but for what the example leaves to the host: identification, checksums, window.
    const hex = Buffer.from(frame).toString('hex');
    expect(hex.slice(28, 36)).toBe('455c0038');
    expect(hex.slice(52, 68)).toBe('0a0000010a000002');
    expect(hex.slice(68, 96)).toBe('3039005000000f50000020005010');
    expect(hex.slice(108)).toBe('1003000020000805d4004850c0000000');
  });

  test.each([
    [0, 0xffff_fff0 + 0x10 - 176],
    [100, 2 ** 32 - 76],
    [176, 0],
  ])('whose oldest unacknowledged byte is %d has the sequence number %d', (una, sequence) => {
    expect(readUint32(probe({ unacknowledged: una }), TCP_AT + 4)).toBe(sequence % 2 ** 32);
  });

  test('ends before the acknowledged bytes end, however many hops it has gathered', () => {
    let frame = probe();
    for (let hops = 0; hops < 5; hops++) frame = withHop(frame, HOP);
    const payload = readUint16(frame, 16) - 40;
    expect(readUint32(frame, TCP_AT + 4) + payload).toBe(0x1000);
  });

  test('tells its hops in the order of the path, at the host that receives it', () => {
    const frame = withHop(withHop(probe(), HOP), { ...HOP, switchId: 8 });
    const { key, id, isResponse, hops, isIncomplete } = parsed(frame);
    expect(key).toEqual(MIRRORED);
    expect({ id, isResponse, isIncomplete }).toEqual({
      id: 9,
      isResponse: false,
      isIncomplete: false,
    });
    expect(hops).toEqual([HOP, { ...HOP, switchId: 8 }]);
  });
});

describe('the response to a probe', () => {
  test('brings the stack back to where the probe came from', () => {
    const response = answered(withHop(probe(), HOP));
    expect(Buffer.from(response.subarray(0, 12)).toString('hex')).toBe('020000000001020000000002');
    const { key, id, isResponse, hops } = parsed(response);
    expect(key).toEqual(KEY);
    expect({ id, isResponse }).toEqual({ id: 9, isResponse: true });
    expect(hops).toEqual([HOP]);
  });

  test('lies in the past of the connection, and acknowledges what had been acknowledged', () => {
    const response = answered(withHop(withHop(probe(), HOP), HOP));
    expect(readUint32(response, TCP_AT + 4)).toBe(0x2000 - 176);
    expect(readUint32(response, TCP_AT + 8)).toBe(0x1000);
  });

  test('lets no switch on the way back add to it', () => {
    const response = answered(withHop(probe(), HOP));
    // Version 2 without E and M; no hops remain.
    expect([response[58], response[61]]).toEqual([0x20, 0]);
  });

  test.each([
    ['hop limit', 0x24],
    ['MTU', 0x22],
  ])('tells that a switch on the way could not push because of its %s', (_what, flags) => {
    const frame = withHop(probe(), HOP);
    frame[58] = flags;
    fillSums(frame);
    expect(parsed(frame).isIncomplete).toBe(true);
    const response = answered(frame);
    expect(parsed(response).isIncomplete).toBe(true);
  });

  test('is complete though switches on the way back could not push', () => {
    const response = answered(withHop(probe(), HOP));
    response[58] = 0x24;
    fillSums(response);
    expect(parsed(response).isIncomplete).toBe(false);
  });

  test('is not answered itself', () => {
    expect(responseFrame(answered(probe()))).toBeUndefined();
  });
});

describe('frames that are no telemetry', () => {
  test.each([
    ['IPv6', 12, 0x86],
    ['UDP', 23, 17],
    ['another DSCP', 15, 0],
  ])('are passed over: %s', (_what, at, value) => {
    const frame = probe();
    frame[at] = value;
    fillSums(frame);
    expect(parseTelemetry(frame)).toBeUndefined();
  });

  test('are refused when a byte is damaged', () => {
    for (let at = 14; at < 70; at++) {
      const frame = probe();
      frame[at] = (frame[at] ?? 0) ^ 0x10;
      const result = parseTelemetry(frame);
      expect(result === undefined || result instanceof WireFault).toBe(true);
    }
  });

  test('are refused when they are cut', () => {
    const whole = withHop(probe(), HOP);
    for (let length = 0; length < whole.length; length++) {
      const result = parseTelemetry(whole.subarray(0, length));
      expect(result === undefined || result instanceof WireFault).toBe(true);
    }
  });
});

describe('the class of a connection', () => {
  test('is in the shim of the probe and of its answer, which switches go by', () => {
    const frame = probe({ dscp: 46 });
    // The last byte of the shim behind Ethernet, IPv4 and TCP.
    const shim = (bytes: Uint8Array): number => (bytes[14 + 20 + 20 + 3] as number) >>> 2;
    expect([shim(frame), shim(answered(frame))]).toEqual([46, 46]);
    expect(shim(probe())).toBe(0);
  });
});
