import { runScenario } from '../../../emulator/io/run-scenario';
import { SharedWork } from '../../../emulator/io/shared-work';
import { HostNode } from '../../../emulator/node/host-node';
import type { ScenarioDocument } from '../../../emulator/scenario/schema';
import { parseScenario } from '../../../emulator/scenario/schema';
import { INT_DSCP } from '../../../common/wire/int/int-md';
import { originalDscpAt } from '../../../common/wire/int/int-shim';
import { UDP_LENGTH } from '../../../common/wire/ip/udp';
import { FEEDBACK_PRESETS } from '../../../host-agent/feedback/feedback-plan';
import { probeFrame, responseFrame } from '../../../host-agent/tcp/probe-frame';
import { FEEDBACK_DELAY, hopNetwork } from '../feedback-run';
import { AgreeingAgent } from '../../../host-agent/host/agreeing-agent';
import { addressOf, flowTo, macOf, testHost } from '../hosts';
import { testOpening } from '../opening';
import { PairDriver } from '../pair-driver';
import { COMBINATIONS, scenarioOf } from '../combinations';
import type { Combination } from '../combinations';

/** A frame as it came to a host, and how long it was on the wire. */
export interface HostPacket {
  readonly of: string;
  readonly bytes: Uint8Array;
  readonly length: number;
}

/** Small flows make few packets of each kind, but all kinds. */
const FLOW_BYTES = 40_000;

const small = (scenario: ScenarioDocument): ScenarioDocument => ({
  ...scenario,
  flows: scenario.flows.map((flow) => ({ ...flow, bytes: FLOW_BYTES })),
});

/** Ways of feedback by every carrier; with INT signed, and under every coordination, too. */
function combinations(): Combination[] {
  const all = COMBINATIONS.filter(({ collectEvery }) => collectEvery === 1);
  const chosen = (coordination: Combination['coordination'], integrity: Combination['integrity']) =>
    all.filter((each) => each.coordination === coordination && each.integrity === integrity);
  const isInt = ({ carrier }: Combination): boolean => carrier === 'int';
  return [
    ...chosen('off', 'off'),
    ...chosen('off', 'signed').filter(isInt),
    ...chosen('adaptive', 'off').filter(isInt).slice(0, 2),
    ...chosen('coordinated', 'off').filter(isInt).slice(0, 2),
  ];
}

const STAR = `
name: packets
title: Two flows to one host
topology: { kind: star, hosts: 3, rateGbps: 100, delayNs: 1000 }
flows:
  - { from: h1, to: h3, bytes: 300000, startUs: 0 }
  - { from: h2, to: h3, bytes: 300000, startUs: 0 }
giveUpAfterUs: 3000
`;

/** Packets that no combination of the table has. */
const OTHERS: Readonly<Record<string, string>> = {
  'several acknowledged': 'parameters: { ackEvery: 3 }',
  'hidden links': 'parameters: { links: hidden }',
  'hidden links, several acknowledged': 'parameters: { links: hidden, ackEvery: 3 }',
  'counted flows': 'parameters: { flowCount: receiver }',
  'selective repeat': `parameters: { lossRecovery: selective-repeat, algorithm: none, queueCapacityBytes: 20000 }`,
  trimmed: `trim: { queueBytes: 20000 }\nparameters: { lossRecovery: selective-repeat }`,
  'trimmed, without telemetry': `trim: { queueBytes: 20000 }\nparameters: { lossRecovery: selective-repeat, algorithm: dctcp }`,
  'go-back-n': `parameters: { algorithm: none, queueCapacityBytes: 20000 }`,
  digest: 'profile: hpcc-pint\nparameters: { algorithm: hpcc-pint }',
  times: 'parameters: { algorithm: swift }',
  'answers of switches': `profile: hpcc-feedback\ntelemetry: { feedback: { queueBytes: 2000, interval: 2 us } }\nparameters: { switchResponses: 'on' }`,
  'several queues': 'profile: hpcc-queues',
  'signed answers of switches': `profile: hpcc-feedback-signed\ntelemetry: { feedback: { queueBytes: 2000, interval: 2 us } }\nparameters: { switchResponses: 'on', authentication: 'on' }`,
};

let found: Promise<readonly HostPacket[]> | undefined;

/**
 * Packets of every kind that hosts and switches send in virtual time: all ways of feedback by all carriers,
 * signed, coordinated, and what no combination has. Up to three of each kind of each run.
 */
export const hostPackets = (): Promise<readonly HostPacket[]> => (found ??= collect());

async function collect(): Promise<readonly HostPacket[]> {
  const shared = new SharedWork();
  const packets: HostPacket[] = [];
  const run = async (of: string, scenario: ScenarioDocument): Promise<void> => {
    const counts = new Map<string, number>();
    const spy = jest.spyOn(HostNode.prototype, 'receive');
    spy.mockImplementation(function (this: HostNode, now, port, packet) {
      const kind = kindOf(packet.bytes);
      const count = counts.get(kind) ?? 0;
      counts.set(kind, count + 1);
      // The first one of a flow has no telemetry to compare with; some later ones have more.
      if (count === 0 || count === 5 || count === 9) {
        packets.push({ of, bytes: packet.bytes.slice(), length: packet.length });
      }
      realReceive.call(this, now, port, packet);
    });
    try {
      await runScenario({ scenario, seed: 1, shared, checkInvariants: false });
    } finally {
      spy.mockRestore();
    }
  };
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its object
  const realReceive = HostNode.prototype.receive;
  // PERF: only switches of the latest network are shared, so that those of one program follow each other.
  const ofOneProgram = combinations().sort((a, b) =>
    `${a.coordination} ${a.carrier}`.localeCompare(`${b.coordination} ${b.carrier}`),
  );
  for (const each of ofOneProgram) {
    const { framing, collectBy, returnBy, algorithmAt, carrier, coordination, integrity } = each;
    const of = [framing, collectBy, returnBy, algorithmAt, carrier, coordination, integrity];
    await run(of.join(' '), small(scenarioOf(each)));
  }
  for (const [of, more] of Object.entries(OTHERS)) {
    await run(of, parseScenario(`${STAR}${more}\n`, of));
  }
  return [...packets, ...openedPackets(), ...settingsPackets(), ...tcpProbes()];
}

/** Packets of version 2, with tokens and cookies, as processes send them. */
function openedPackets(): HostPacket[] {
  return PLANS.flatMap(([of, feedback]) => {
    const hosts = [
      testHost(1, { feedback, opening: testOpening(1) }),
      testHost(2, { feedback, opening: testOpening(2) }),
    ] as const;
    const driver = new PairDriver(hosts, { delay: FEEDBACK_DELAY, network: hopNetwork() });
    hosts[0].startFlow(0, flowTo(2, 0, FLOW_BYTES));
    driver.run(1_000_000_000);
    const ends = [...driver.sent.slice(0, 8), ...driver.sent.slice(-8)];
    return ends.map(({ packet: { bytes, length } }) => ({ of: `opened ${of}`, bytes, length }));
  });
}

/** Settings that hosts on interfaces tell each other before the first data. */
function settingsPackets(): HostPacket[] {
  const hosts = [1, 2].map((n) => {
    const identity = { address: addressOf(n), mac: macOf(n) };
    return new AgreeingAgent(testHost(n), { ...identity, settings: {}, retryAfter: 1e9 });
  });
  const driver = new PairDriver(hosts as [AgreeingAgent, AgreeingAgent], {
    delay: FEEDBACK_DELAY,
    network: hopNetwork(),
  });
  hosts[0]?.startFlow(0, flowTo(2, 0, FLOW_BYTES));
  driver.run(1_000_000_000);
  return driver.sent
    .filter(({ packet }) => packet.bytes[42] === 0x37)
    .map(({ packet: { bytes, length } }) => ({ of: 'settings', bytes, length }));
}

const PLANS = Object.entries(FEEDBACK_PRESETS);

/** A telemetry probe inside a TCP connection, and the response to it. */
function tcpProbes(): HostPacket[] {
  const key = {
    localAddress: addressOf(1),
    localPort: 40_000,
    remoteAddress: addressOf(2),
    remotePort: 5201,
  };
  const ids = { localMac: macOf(1), remoteMac: macOf(2), id: 9, hopLimit: 5, dscp: 0 };
  const probe = probeFrame({ key, ...ids, unacknowledged: 0x1000, expected: 0x2000 });
  const response = responseFrame(probe);
  if (!(response instanceof Uint8Array)) throw new Error('a probe is answered');
  return [probe, response].map((bytes) => ({ of: 'tcp', bytes, length: bytes.length }));
}

/** Addresses aside: EtherType, DSCP, that of INT's shim too, port, and the first bytes behind UDP. */
function kindOf(bytes: Uint8Array): string {
  const udpAt = bytes[12] === 0x86 ? 54 : 34;
  const isInt = bytes[12] === 0x08 && (bytes[15] ?? 0) >>> 2 === INT_DSCP;
  return [
    bytes[12],
    bytes[13],
    bytes[15],
    bytes[udpAt + 3],
    bytes[udpAt + 8],
    bytes[udpAt + 9],
    isInt ? originalDscpAt(bytes, udpAt + UDP_LENGTH) : 0,
  ].join();
}
