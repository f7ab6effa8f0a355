import type { Packet } from '../../../../../common/packet/packet';
import { INT_DSCP } from '../../../../../common/wire/int/int-md';
import { checksumWords, finishChecksum } from '../../../../../common/wire/ip/checksum';
import { TRIMMABLE_DSCP, TRIMMED_DSCP } from '../../../../../common/wire/ip/trimming';
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
import { testOpening } from '../../../../support/opening';
import { proves } from '../../../../support/evidence';

/** The frame as a switch cuts it: `kept` bytes behind UDP and telemetry, with the DSCP of what was cut. */
function trimmed({ bytes }: Packet, kept: number): Packet {
  const isInt = (bytes[15] as number) >>> 2 === INT_DSCP;
  const transportAt = 42 + (isInt ? 4 + 4 * (bytes[43] as number) : 0);
  const cut = bytes.slice(0, transportAt + kept);
  const view = new DataView(cut.buffer);
  if (isInt) cut[45] = TRIMMED_DSCP << 2;
  else cut[15] = TRIMMED_DSCP << 2;
  view.setUint16(16, cut.length - 14);
  view.setUint16(38, cut.length - 34);
  view.setUint16(40, 0);
  view.setUint16(24, 0);
  view.setUint16(24, finishChecksum(checksumWords(cut, 14, 34)));
  return { bytes: cut, length: cut.length };
}

describe('data of which a switch has left the header', () => {
  const LIMIT = { lossRecovery: 'selective-repeat', trimming: true } as const;

  it('is asked for again at once, with the telemetry that came, and leaves again', () => {
    const [sender, receiver] = [testHost(1, LIMIT), testHost(2, LIMIT)];
    sender.startFlow(0, flowTo(2, 7, 3000));
    const [first, second] = [must(sender.pollTransmit(0)), must(sender.pollTransmit(1e6))];
    expect(first.bytes[45]).toBe(TRIMMABLE_DSCP << 2);
    receiver.handlePacket(2e6, pushHop(first, HOP));
    receiver.pollTransmit(2e6);
    receiver.handlePacket(2e6, trimmed(pushHop(second, HOP), 16));
    const asking = must(receiver.pollTransmit(2e6));
    expect(receiver.counters()).toMatchObject({ trimmedReceived: 1, dataReceived: 1 });
    expect(receiver.counters().packetsRejected.malformed).toBe(0);
    sender.handlePacket(3e6, asking);
    expect(sender.flowMetrics(7)).toMatchObject({ nacks: 1, timeouts: 0 });
    const again = must(sender.pollTransmit(4e6));
    receiver.handlePacket(5e6, trimmed(again, 16));
    sender.handlePacket(6e6, must(receiver.pollTransmit(5e6)));
    // An old question about the first copy changes nothing.
    sender.handlePacket(6e6, asking);
    expect(sender.flowMetrics(7)).toMatchObject({ nacks: 2 });
  });

  it('is asked for in turn where much is: its sender waits, sends nothing new, and no timer goes off', () => {
    const [sender, receiver] = [testHost(1, LIMIT), testHost(2, { ...LIMIT, baseRtt: 1e6 })];
    sender.startFlow(0, flowTo(2, 7, 200_000));
    let now = 0;
    for (let next = sender.pollTransmit(now); next; next = sender.pollTransmit((now += 1e5))) {
      receiver.handlePacket(0, trimmed(next, 16));
    }
    const asks = (): number => {
      let count = 0;
      receiver.handleWakeup(now);
      for (let ask = receiver.pollTransmit(now); ask; ask = receiver.pollTransmit(now)) {
        sender.handlePacket(now, ask);
        count++;
      }
      return count;
    };
    now = 1e7;
    const atOnce = asks();
    const nacks = sender.flowMetrics(7)?.nacks ?? 0;
    // All are told at once; one microsecond's worth of the link leaves at once, the others when they are asked for.
    expect(nacks).toBeGreaterThan(30);
    expect(atOnce).toBeGreaterThan(nacks);
    expect(sender.flowMetrics(7)?.timeouts).toBe(0);
  });

  it('leaves again when it is asked for, of flows that their receiver has not confirmed, too', () => {
    const opened = (n: number) =>
      testHost(n, { ...LIMIT, baseRtt: 1e6, opening: testOpening(n), retransmissionTimeout: 1e12 });
    const [sender, receiver] = [opened(1), opened(2)];
    sender.startFlow(0, flowTo(2, 7, 20_000));
    let now = 0;
    for (let next = sender.pollTransmit(now); next; next = sender.pollTransmit((now += 1e5))) {
      receiver.handlePacket(0, trimmed(next, 24));
    }
    for (const end = now + 1e9; now < end; now += 1e5) {
      receiver.handleWakeup(now);
      for (let ask = receiver.pollTransmit(now); ask; ask = receiver.pollTransmit(now)) {
        sender.handlePacket(now, ask);
      }
      const again = sender.pollTransmit(now);
      if (again !== undefined) receiver.handlePacket(now, again);
    }
    expect(eventsOf(sender).at(-1)).toMatchObject({ kind: 'flow-completed', flow: 7 });
  });

  it('is malformed where it keeps too little, or nobody has cut it', () => {
    const frame = dataFrame();
    const [short, whole] = [trimmed(frame, 15), trimmed(frame, 16)];
    whole.bytes[45] = 0;
    for (const packet of [short, whole]) {
      const receiver = testHost(2);
      receiver.handlePacket(0, packet);
      expect(receiver.counters().packetsRejected.malformed).toBe(1);
    }
  });

  it('makes no sender that did not allow it do anything', () => {
    const [sender, receiver] = [testHost(1, { lossRecovery: 'selective-repeat' }), testHost(2)];
    sender.startFlow(0, flowTo(2, 7, 3000));
    receiver.handlePacket(0, trimmed(must(sender.pollTransmit(0)), 16));
    sender.handlePacket(1e6, must(receiver.pollTransmit(0)));
    expect(sender.counters().packetsRejected.unrequested).toBe(1);
    expect(sender.flowMetrics(7)?.segmentsRetransmitted).toBe(0);
  });
});

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
