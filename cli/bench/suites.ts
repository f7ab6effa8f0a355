import { benchEventQueue } from '../../bench/event-queue';
import { benchAgent } from '../../bench/agent';
import { benchAgentLive } from '../../bench/agent-live';
import { benchAgentTcp } from '../../bench/agent-tcp';
import { benchAlgorithm } from '../../bench/algorithm';
import { benchColdSwitch } from '../../bench/cold-switch';
import { benchCollect } from '../../bench/collect';
import { benchCollectLive } from '../../bench/collect-live';
import { benchCodec } from '../../bench/codec';
import { benchEmulator } from '../../bench/emulator';
import { benchController } from '../../bench/control/controller';
import { benchControllerWrites } from '../../bench/control/controller-writes';
import { benchDecode } from '../../bench/decode';
import { benchFrames } from '../../bench/frames';
import { benchLiveLatency } from '../../bench/live-latency';
import { benchStudy, benchStudyWorkers } from '../../bench/study';
import { benchSwitch } from '../../bench/switch';
import { benchSwitchAtRest } from '../../bench/switch-at-rest';
import { benchSwitchLive, benchSwitchSoak } from '../../bench/switch-live';
import { benchMemoryUnderAttack } from '../../bench/control/memory-under-attack';
import { benchSwitchBesideClients } from '../../bench/control/switch-beside-clients';
import { benchSwitchUnderControl } from '../../bench/control/switch-under-control';
import { benchTables } from '../../bench/tables';
import type { SuiteName } from './suite-names';

/** Options of `hpcc bench`. */
export interface BenchOptions {
  readonly rounds: number;
  /** Duration of suites that last rather than repeat, in minutes. */
  readonly minutes: number;
  /** The bmv2 to compare with. */
  readonly bmv2: string;
  /** Number of cells, for studies. */
  readonly cells?: number;
  /** Entries of a table, for switch-under-control. */
  readonly entries: number;
  /** Switches in a row, for live-latency. */
  readonly switches: number;
  /** The HPCC simulator to compare with. */
  readonly ns3?: string;
}

type Suite = (options: BenchOptions) => Promise<object> | object;

/** Suites by name: each measures, and returns its figures. */
export const SUITES: Readonly<Record<SuiteName, Suite>> = {
  algorithm: ({ rounds }) => benchAlgorithm(rounds),
  codec: ({ rounds }) => benchCodec(rounds),
  collect: ({ rounds }) => benchCollect(rounds),
  decode: ({ rounds }) => benchDecode(rounds),
  agent: ({ rounds }) => benchAgent(rounds),
  'event-queue': ({ rounds }) => benchEventQueue(rounds),
  tables: ({ rounds }) => benchTables(rounds),
  switch: ({ rounds }) => benchSwitch(rounds),
  emulator: ({ rounds, ns3 }) => benchEmulator({ rounds, ns3 }),
  controller: () => benchController(),
  'controller-writes': ({ rounds, bmv2 }) => benchControllerWrites(rounds, bmv2),
  'agent-live': ({ rounds }) => benchAgentLive(rounds),
  'agent-tcp': ({ rounds }) => benchAgentTcp(rounds),
  'collect-live': () => benchCollectLive(),
  frames: () => benchFrames(),
  'cold-switch': ({ rounds }) => benchColdSwitch(rounds),
  'memory-under-attack': ({ entries }) => benchMemoryUnderAttack(entries),
  'live-latency': ({ rounds, switches, bmv2 }) => benchLiveLatency({ rounds, switches }, bmv2),
  'switch-at-rest': ({ rounds, bmv2 }) => benchSwitchAtRest(rounds, bmv2),
  'switch-beside-clients': ({ bmv2 }) => benchSwitchBesideClients(bmv2),
  'switch-live': ({ rounds, bmv2 }) => benchSwitchLive(rounds, bmv2),
  'switch-under-control': ({ entries, bmv2 }) =>
    benchSwitchUnderControl({ entries, updates: Math.ceil(entries / 3) }, bmv2),
  study: ({ rounds, cells }) => benchStudy(cells ?? 200, rounds),
  'study-workers': ({ cells }) => benchStudyWorkers(cells ?? 2000),
  'switch-soak': ({ minutes }) => benchSwitchSoak(minutes),
};
