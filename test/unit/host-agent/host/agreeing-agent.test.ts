import type { Packet } from '../../../../common/packet/packet';
import {
  emitHpccTransport,
  HPCC_SETTINGS,
  HPCC_TRANSPORT_PORT,
} from '../../../../common/wire/hpcc/hpcc-transport';
import { emitEthernet, ETHERTYPE_IPV4 } from '../../../../common/wire/ip/ethernet';
import { emitIpv4, PROTOCOL_UDP } from '../../../../common/wire/ip/ipv4';
import { emitUdp } from '../../../../common/wire/ip/udp';
import type { Agent } from '../../../../host-agent/host/agent';
import { AgreeingAgent } from '../../../../host-agent/host/agreeing-agent';
import type { HostEvent } from '../../../../host-agent/host/host-events';
import { RoceHost } from '../../../../host-agent/roce/roce-host';
import { hpccppFactory } from '../../../../host-agent/algorithm/window-form';
import {
  agreementOn,
  differenceText,
  TOLD_SETTINGS,
} from '../../../../host-agent/settings/agreement';
import { configurationOf, routeOf } from '../../../../host-agent/settings/configuration';
import { asOption, refusalOf } from '../../../../host-agent/settings/refusal';
import { SETTINGS } from '../../../../host-agent/settings/settings';
import type { SettingName, Settings } from '../../../../host-agent/settings/settings';
import { must } from '../../../support/frames';
import { addressOf, flowTo, macOf, testHost } from '../../../support/hosts';
import { PairDriver } from '../../../support/pair-driver';

const DELAY = 2_000_000;
const BASE_RTT = 5_000_000;
const US = 1_000_000;
const RETRY = 100 * US;

/** A host of either framing, of which only the packets on the wire matter. */
function agreeingHost(n: number, settings: Settings): AgreeingAgent {
  const { carrier = 'int', framing = 'hpcc' } = settings;
  const { feedback } = configurationOf(settings);
  const inner: Agent =
    framing === 'hpcc'
      ? testHost(n, { feedback, carrier: { name: carrier } })
      : new RoceHost({
          address: addressOf(n),
          mac: macOf(n),
          linkRate: 100e9,
          baseRtt: BASE_RTT,
          congestionControl: hpccppFactory(),
          feedback,
          carrier: { name: carrier },
        });
  const identity = { address: addressOf(n), mac: macOf(n) };
  return new AgreeingAgent(inner, { ...identity, settings, retryAfter: RETRY });
}

type Differ = Extract<HostEvent, { readonly kind: 'settings-differ' }>;

const isSettings = ({ bytes }: Packet): boolean => bytes[42] === 0x37;

/** Runs a flow between two hosts, in a network that loses the first `lost` packets of settings. */
function told(own: Settings, peer: Settings, { lost = 0, until = 2 * BASE_RTT } = {}) {
  let left = lost;
  const hosts = [agreeingHost(1, own), agreeingHost(2, peer)] as const;
  const driver = new PairDriver(hosts, {
    delay: DELAY,
    network: (_from, packet) => (isSettings(packet) && left-- > 0 ? undefined : packet),
  });
  hosts[0].startFlow(0, flowTo(2, 7, 400_000));
  driver.run(until);
  const found = driver.events.map((events) =>
    events.filter((event): event is Differ => event.kind === 'settings-differ'),
  );
  return { driver, hosts, found };
}

/** The first packet of a host that starts a flow to the first one. */
function requestOf(n: number, settings: Settings): Packet {
  const host = agreeingHost(n, settings);
  host.startFlow(0, flowTo(1, 7, 1000));
  return must(host.pollTransmit(0));
}

/** A request from host 2 without any settings. */
function emptyRequest(): Uint8Array {
  const bytes = new Uint8Array(58);
  emitHpccTransport(
    { type: HPCC_SETTINGS, flowId: 0, generation: 0, length: 0, flags: 0, sequence: 0 },
    bytes,
    42,
  );
  const [source, destination] = [addressOf(2), addressOf(1)];
  const ports = { sourcePort: HPCC_TRANSPORT_PORT, destinationPort: HPCC_TRANSPORT_PORT };
  emitUdp({ ...ports, length: 24 }, bytes, { source, destination, offset: 34, end: 58 });
  const ipv4 = { dscp: 0, ecn: 0, totalLength: 44, identification: 0, ttl: 64 };
  emitIpv4({ ...ipv4, protocol: PROTOCOL_UDP, source, destination }, bytes, 14);
  emitEthernet({ destination: macOf(1), source: macOf(2), etherType: ETHERTYPE_IPV4 }, bytes);
  return bytes;
}

const BASE: Settings = { mss: 1000, hopLimit: 8, baseRttUs: 5 };
/** Another value of each setting, and what makes the setting matter. */
const OTHER: Readonly<Partial<Record<SettingName, Settings>>> = {
  mss: { mss: 900 },
  hopLimit: { hopLimit: 5 },
  baseRttUs: { baseRttUs: 10 },
  csigDomain: { csigDomain: { windowNs: 4096, delayStepNs: 64 } },
  keys: { keys: 'file' },
  sourceRouting: { sourceRouting: 'network.yaml' },
};

/** False for what a host of the framing refuses by itself. */
const isHost = (settings: Settings): boolean =>
  refusalOf({ settings, route: routeOf(settings) }, asOption) === undefined;

/** Settings without which others mean nothing. */
const CONTEXT: Readonly<Partial<Record<SettingName, Settings>>> = {
  csigDomain: { carrier: 'csig' },
  sourceRouting: { ipVersion: 'ipv6' },
};
const COMPUTES: Settings = { feedback: 'receiver' };

/** Each setting that must agree, in each framing that has it, with every other value. */
const CASES = TOLD_SETTINGS.flatMap((name) => {
  const { value, framing: only } = SETTINGS[name];
  const others: Settings[] =
    OTHER[name] === undefined && value.kind === 'choice'
      ? value.choices.slice(1).map((choice) => ({ [name]: choice }))
      : [OTHER[name] ?? {}];
  const framings = (['hpcc', 'rocev2'] as const).filter(
    (framing) =>
      (only === undefined || only === framing) &&
      (agreementOn(name) !== 'rocev2' || framing === 'rocev2') &&
      (name !== 'framing' || framing === 'hpcc'),
  );
  const context = CONTEXT[name] ?? (agreementOn(name) === 'receiver-computes' ? COMPUTES : {});
  return framings.flatMap((framing) =>
    others
      .filter((other) => isHost({ ...context, ...other, framing }))
      .map((other) => [name, { ...BASE, framing, ...context }, other] as const),
  );
});

describe('hosts that compare their settings', () => {
  test.each(CASES)('name %s at both ends within 2 T: %o, %o', (name, own, other) => {
    const peer = { ...own, ...other };
    const { found, hosts } = told(own, peer);
    const names = found.map((events) =>
      events.map(({ differences }) => differences.map(({ setting }) => setting)),
    );
    expect(names).toEqual([[[name]], [[name]]]);
    const [here, there] = found.map((events) => events[0]?.differences[0]);
    expect(there).toEqual({ setting: name, own: here?.peer, peer: here?.own });
    expect(hosts.map(({ differing }) => differing.map((each) => each.peerAddress))).toEqual([
      [addressOf(2)],
      [addressOf(1)],
    ]);
  });

  test('name every setting that the table says both hosts need', () => {
    const names = new Set(CASES.map(([name]) => name));
    expect([...names]).toEqual(TOLD_SETTINGS);
    expect(TOLD_SETTINGS).toEqual(
      expect.arrayContaining(['framing', 'carrier', 'feedback', 'links', 'flowCount', 'baseRttUs']),
    );
  });

  test.each<[string, Settings, Settings]>([
    ['T at a receiver that only echoes', {}, { baseRttUs: 10 }],
    ['T that is measured', { feedback: 'receiver' }, { feedback: 'receiver', baseRttUs: 'auto' }],
    ['segments over UDP', {}, { mss: 900 }],
    ['constants of the algorithm, which one host runs', { targetUtilization: 0.9 }, {}],
    ['a way of telemetry by its parts', { feedback: 'probe' }, { collect: 'probe' }],
    ['what the algorithm counts', { algorithm: 'theta-powertcp' }, { algorithm: 'theta-powertcp' }],
  ])('say nothing of %s', (_, own, peer) => {
    expect(told({ ...BASE, ...own }, { ...BASE, ...peer }).found).toEqual([[], []]);
  });

  test('ask again when requests or answers are lost, and give up in the end', () => {
    const other = { ...BASE, links: 'hidden' as const };
    const late = told(BASE, other, { lost: 3, until: 10 * RETRY });
    expect(late.found.map((events) => events.length)).toEqual([1, 1]);
    const never = told(BASE, other, { lost: Infinity, until: 20 * RETRY });
    const requests = never.driver.sent.filter(({ packet }) => isSettings(packet));
    expect(requests).toHaveLength(5);
  });

  test('compare once for many flows, and say a difference once', () => {
    const { driver, hosts, found } = told(BASE, { ...BASE, links: 'hidden' });
    for (let id = 10; id < 30; id++) hosts[0].startFlow(driver.now, flowTo(2, id, 1000));
    driver.run(4 * BASE_RTT);
    const settings = driver.sent.filter(({ packet }) => isSettings(packet));
    expect(settings).toHaveLength(2);
    expect(found.map((events) => events.length)).toEqual([1, 1]);
  });

  test('are told in a sentence with what to do', () => {
    const { found } = told(BASE, { ...BASE, feedback: 'probe', links: 'hidden' });
    const [here] = found[0] ?? [];
    expect(differenceText(here?.differences ?? [], '10.0.0.2')).toBe(
      'feedback is ack here and probe at 10.0.0.2, links is shown here and hidden there: ' +
        'start both hosts with the same --feedback and --links',
    );
  });

  test('are not due for ever while a paused link asks them for no frame', () => {
    const host = agreeingHost(1, BASE);
    host.startFlow(0, flowTo(2, 7, 1000));
    for (let at = 0; at < 20 * RETRY; at += RETRY) {
      host.handleWakeup(at);
      expect(host.pollWakeup() ?? Infinity).toBeGreaterThan(at);
    }
  });

  test('send a stranger no more than three times what he sends', () => {
    const host = agreeingHost(1, BASE);
    const short = emptyRequest();
    host.handlePacket(0, { bytes: short, length: short.length });
    expect(host.pollTransmit(0)).toBeUndefined();
    const whole = requestOf(2, BASE);
    host.handlePacket(0, whole);
    expect(host.pollTransmit(0)?.length).toBeLessThan(3 * whole.length);
  });

  test('tell 64 differences at once and one per second, whoever differs', () => {
    const host = agreeingHost(1, BASE);
    const differ = (now: number, other: Settings): number => {
      for (let peer = 2; peer < 202; peer++)
        host.handlePacket(now, requestOf(peer, { ...BASE, ...other }));
      let told = 0;
      while (host.pollEvent() !== undefined) told++;
      return told;
    };
    expect(differ(0, { links: 'hidden' })).toBe(64);
    expect(differ(3.5e6 * US, { queueMeasure: 'sojourn' })).toBe(3);
    expect(host.differing).toHaveLength(200);
  });

  test('take bytes that are no settings for what they are', () => {
    const { driver, hosts } = told(BASE, BASE);
    const request = driver.sent.find(({ packet }) => isSettings(packet));
    const bytes = request?.packet.bytes.slice() ?? new Uint8Array();
    // Without a checksum, so that the body is looked at.
    bytes.fill(0, 40, 42);
    bytes[58] = 0;
    hosts[1].handlePacket(driver.now, { bytes, length: bytes.length });
    expect(hosts[1].counters().packetsRejected.malformed).toBe(1);
    expect(hosts[1].differing).toEqual([]);
  });
});
