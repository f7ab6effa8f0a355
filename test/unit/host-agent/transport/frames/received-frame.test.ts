import type { Packet } from '../../../../../common/packet/packet';
import {
  dataFrame,
  eventsOf,
  HOP,
  must,
  patched,
  patchedUnchecked,
} from '../../../../support/frames';
import { flowTo, testHost } from '../../../../support/hosts';
import { pushHop } from '../../../../support/int-hop';
import { proves } from '../../../../support/evidence';

describe('packets that are dropped', () => {
  function rejections(packet: Packet): string[] {
    const receiver = testHost(2);
    receiver.handlePacket(0, packet);
    expect(receiver.pollTransmit(0)).toBeUndefined();
    return eventsOf(receiver).map((e) => (e.kind === 'packet-rejected' ? e.reason : e.kind));
  }

  it('are those cut short at every byte', () => {
    const frame = dataFrame();
    for (let length = 0; length < frame.bytes.length; length++) {
      const bytes = frame.bytes.subarray(0, length);
      expect(rejections({ bytes, length })).toEqual(['malformed']);
      expect(rejections({ bytes, length: frame.length })).toEqual(['malformed']);
    }
    for (let length = frame.bytes.length; length < frame.length; length++) {
      expect(rejections({ bytes: frame.bytes, length })).toEqual(['malformed']);
    }
  });

  it('are acknowledgements cut short at every byte', () => {
    const sender = testHost(1);
    const receiver = testHost(2);
    sender.startFlow(0, flowTo(2, 7, 1000));
    receiver.handlePacket(0, pushHop(must(sender.pollTransmit(0)), HOP));
    const ack = must(receiver.pollTransmit(0));
    for (let length = 0; length < ack.length; length++) {
      sender.handlePacket(0, { bytes: ack.bytes.subarray(0, length), length });
    }
    expect(sender.counters().packetsRejected.malformed).toBe(ack.length);
    sender.handlePacket(0, ack);
    expect(eventsOf(sender).at(-1)).toMatchObject({ kind: 'flow-completed', flow: 7 });
  });

  it.each([
    ['other EtherTypes', 12, 0x86, 'other-protocol'],
    ['a foreign IP version', 14, 0x65, 'malformed'],
    ['a wrong IPv4 checksum', 22, 0x01, 'malformed'],
    ['a wrong UDP checksum', 72, 0x01, 'malformed'],
  ])('are those with %s', (_name, at, value, reason) => {
    expect(rejections(patched(dataFrame(), at, value))).toEqual([reason]);
  });

  // The shim starts at 42, the INT-MD header at 46, the transport after 16 + 32 bytes at 90.
  it.each([
    ['another port', 37, 0x53, 'other-protocol'],
    ['an INT type other than MD', 42, 0x30, 'malformed'],
    ['a shim that ends before its header', 43, 2, 'malformed'],
    ['a shim that ends beyond the headers', 43, 0xff, 'malformed'],
    ['a foreign transport version', 90, 0x51, 'malformed'],
    ['an unknown transport type', 90, 0x3f, 'malformed'],
    ['a wrong transport length', 94, 0x04, 'malformed'],
  ])('are those with %s', (_name, at, value, reason) => {
    expect(rejections(patchedUnchecked(dataFrame(), at, value))).toEqual([reason]);
  });

  it('are those for other hosts', () => {
    const other = testHost(3);
    other.handlePacket(0, dataFrame());
    expect(other.counters().packetsRejected['not-for-this-host']).toBe(1);
  });

  it('say what was wanted, what was found, and where', () => {
    const host = testHost(2);
    host.handlePacket(5, patchedUnchecked(dataFrame(), 90, 0x11));
    expect(eventsOf(host)).toEqual([
      {
        kind: 'packet-rejected',
        at: 5,
        reason: 'malformed',
        detail:
          'hpcc-transport at byte 90: version must be 3 or 4, found 1, ' +
          'which is that of releases up to 0.2: hosts that talk to each other need the same',
      },
    ]);
  });

  it('are acknowledgements of flows or bytes that were never sent', () => {
    const [receiver, stranger, sender] = [testHost(2), testHost(1), testHost(1)];
    receiver.handlePacket(0, dataFrame());
    const ack = must(receiver.pollTransmit(0));
    stranger.handlePacket(0, ack);
    expect(stranger.counters().packetsRejected['unknown-flow']).toBe(1);
    sender.startFlow(0, flowTo(2, 7, 5000));
    sender.handlePacket(0, ack);
    expect(sender.counters().packetsRejected['acknowledges-unsent']).toBe(1);
  });
});

describe('telemetry that the receiver refuses', () => {
  it.each([
    ['a foreign INT version', 46, 0x10],
    ['a stack that is no multiple of the hop length', 48, 9],
    ['another domain', 52, 0],
  ])('costs the echo but not the data: %s', (_name, at, value) => {
    const receiver = testHost(2);
    receiver.handlePacket(0, patchedUnchecked(dataFrame(), at, value));
    expect(receiver.counters()).toMatchObject({ bytesDelivered: 1000, telemetryRefused: 1 });
    expect(must(receiver.pollTransmit(0)).length).toBe(14 + 20 + 8 + 16);
  });

  proves({ cases: ['too-many-hops'] })(
    'is told to the congestion control as missing, and an exceeded hop limit as incomplete',
    () => {
      const reasons: string[] = [];
      const sender = testHost(1, {
        observe: (flow, event) => {
          if (event.kind === 'telemetry-rejected') reasons.push(`${flow} ${event.reason}`);
        },
      });
      const receiver = testHost(2);
      sender.startFlow(0, flowTo(2, 7, 5000));
      const changes = [
        [46, 0x10],
        [46, 0x24],
        [46, 0x22],
      ] as const;
      changes.forEach(([at, value], i) => {
        const data = pushHop(must(sender.pollTransmit(i * 1e6)), HOP);
        receiver.handlePacket(i * 1e6, patchedUnchecked(data, at, value));
        sender.handlePacket(i * 1e6, must(receiver.pollTransmit(i * 1e6)));
      });
      expect(reasons).toEqual(['7 no-hops', '7 incomplete', '7 incomplete']);
    },
  );
});
