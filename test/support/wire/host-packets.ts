import { runScenario } from '../shared-runs';
import { HostNode } from '../../../emulator/node/host-node';
import type { RunObserver } from '../../../emulator/record/run-observer';
import type { ScenarioDocument } from '../../../emulator/scenario/schema';
import { parseScenario } from '../../../emulator/scenario/schema';
import { INT_DSCP } from '../../../common/wire/int/int-md';
import { originalDscpAt } from '../../../common/wire/int/int-shim';
import { readUint16 } from '../../../common/wire/bytes';
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

type Noted = Pick<HostPacket, 'bytes' | 'length'>;

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
  'trimmed, over IPv6': `trim: { queueBytes: 20000 }\nparameters: { lossRecovery: selective-repeat, ipVersion: ipv6 }`,
  'trimmed, over RoCEv2': `trim: { queueBytes: 20000 }\nparameters: { framing: rocev2, mss: 1024 }`,
  'trimmed, over RoCEv2 by SEND': `trim: { queueBytes: 20000 }\nparameters: { framing: rocev2, operation: send, mss: 1024 }`,
  'trimmed, over RoCEv2 and IPv6': `trim: { queueBytes: 20000 }\nparameters: { framing: rocev2, ipVersion: ipv6, mss: 1024 }`,
  IPv6: 'parameters: { ipVersion: ipv6 }',
  'RoCEv2 over IPv6': 'parameters: { framing: rocev2, ipVersion: ipv6, mss: 1024 }',
  'answers of switches over IPv6': `profile: hpcc-feedback\ntelemetry: { feedback: { queueBytes: 2000, interval: 2 us } }\nparameters: { switchResponses: 'on', ipVersion: ipv6 }`,
  'answers of switches alone': `profile: hpcc-feedback\ntelemetry: { feedback: { queueBytes: 2000, interval: 2 us } }\nparameters: { switchResponses: only }`,
  'paths of uSIDs': `sourceRouting: usid\nparameters: { lossRecovery: selective-repeat, balancing: mrc, ipVersion: ipv6 }`,
  'paths of uSIDs, trimmed': `sourceRouting: usid\ntrim: { queueBytes: 20000 }\nparameters: { lossRecovery: selective-repeat, balancing: mrc, ipVersion: ipv6, algorithm: nscc }`,
  sprayed: `parameters: { lossRecovery: selective-repeat, balancing: reps, algorithm: hpccpp-spray }`,
  credits: `parameters: { algorithm: rccc }`,
  'credits, trimmed': `trim: { queueBytes: 20000 }\nparameters: { algorithm: rccc, lossRecovery: selective-repeat, balancing: random }`,
  'time in queues': `profile: hpcc-queues\nparameters: { queueMeasure: sojourn }`,
  'few packets of switches':
    'profile: hpcc-sparse\ntelemetry: { insertion: { queueBytes: 2000, interval: 4 us } }',
  'relative loads': `profile: hpcc-relative\ntelemetry: { relative: { key: '${'5a'.repeat(16)}' } }`,
  'counters of 32 bits': 'profile: hpcc-counter32',
  'a measured T': 'parameters: { baseRtt: measured }',
  'several paths': 'parameters: { paths: 2 }',
  read: 'parameters: { framing: rocev2, operation: read, mss: 1024 }',
  send: 'parameters: { framing: rocev2, operation: send, mss: 1024 }',
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
  const packets: HostPacket[] = [];
  const run = async (of: string, scenario: ScenarioDocument): Promise<void> => {
    const counts = new Map<string, number>();
    const note = ({ bytes, length }: Noted): void => {
      const kind = kindOf(bytes);
      const count = counts.get(kind) ?? 0;
      counts.set(kind, count + 1);
      // The first one of a flow has no telemetry to compare with; some later ones have more.
      if (count === 0 || count === 5 || count === 9) {
        packets.push({ of, bytes: bytes.slice(), length });
      }
    };
    const spy = jest.spyOn(HostNode.prototype, 'receive');
    spy.mockImplementation(function (this: HostNode, now, port, packet) {
      note(packet);
      realReceive.call(this, now, port, packet);
    });
    try {
      // Paths are whole when hosts send, and at their end when others receive.
      const observer = (): RunObserver => ({ hostSent: (_, packet) => note(packet) });
      const options = { scenario, seed: 1, checkInvariants: false };
      await runScenario(scenario.sourceRouting === undefined ? options : { ...options, observer });
    } finally {
      spy.mockRestore();
    }
  };
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its object
  const realReceive = HostNode.prototype.receive;
  // PERF: only switches of the latest few networks are shared, so that those of one program follow each other.
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
  const dscpEcn = bytes[12] === 0x86 ? (readUint16(bytes, 14) >>> 4) & 0xff : bytes[15];
  const isInt = (dscpEcn ?? 0) >>> 2 === INT_DSCP;
  return [
    bytes[12],
    bytes[13],
    dscpEcn,
    bytes[udpAt + 3],
    bytes[udpAt + 8],
    bytes[udpAt + 9],
    isInt ? originalDscpAt(bytes, udpAt + UDP_LENGTH) : 0,
    bytes[12] === 0x86 && bytes[44] !== 0,
  ].join();
}
