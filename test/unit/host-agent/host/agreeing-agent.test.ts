import type { Packet } from '../../../../common/packet/packet';
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

const BASE: Settings = { mss: 1000, hopLimit: 8, baseRttUs: 5 };
/** Another value of each setting, and what makes the setting matter. */
const OTHER: Readonly<Partial<Record<SettingName, Settings>>> = {
  mss: { mss: 900 },
  hopLimit: { hopLimit: 5 },
  baseRttUs: { baseRttUs: 10 },
  csigDomain: { csigDomain: { windowNs: 4096, delayStepNs: 64 } },
  keys: { keys: 'file' },
};

/** False for what a host of the framing refuses by itself. */
const isHost = (settings: Settings): boolean =>
  refusalOf({ settings, route: routeOf(settings) }, asOption) === undefined;

/** Settings without which others mean nothing. */
const CONTEXT: Readonly<Partial<Record<SettingName, Settings>>> = {
  csigDomain: { carrier: 'csig' },
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
