import * as os from 'node:os';
import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { print } from '../../common/io/terminal';
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
import { numberOption, wholeOption, within } from '../shared/option-values';

interface BenchOptions {
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

const SUITES: Readonly<Record<string, Suite>> = {
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
};

/** Suites that need root or many minutes run only when they are named. */
const NAMED_SUITES: typeof SUITES = {
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

export function registerBench(command: Command): void {
  command
    .description(
      'Prints speed figures as JSON: medians of several rounds. ' +
        `Suites: ${Object.keys(SUITES).join(', ')}; ` +
        `by name only, because they need root or many minutes: ${Object.keys(NAMED_SUITES).join(', ')}. ` +
        'As root, switch runs switch-live too.',
    )
    .argument('[suite]', 'only this suite')
    .option('--rounds <n>', 'rounds per figure', within(1, 10_000, wholeOption), 5)
    .option('--minutes <n>', 'how long a soak lasts', within(0.01, 10_000, numberOption), 3)
    .option(
      '--bmv2 <path>',
      'the bmv2 that live switch suites and controller-writes compare with',
      'simple_switch_grpc',
    )
    .option(
      '--entries <n>',
      'entries of switch-under-control, which writes a third as many more, and of memory-under-attack',
      within(1, 10_000_000, wholeOption),
      300_000,
    )
    .option(
      '--switches <n>',
      'switches in a row that live-latency sends through; several share a process, too',
      within(1, 20, wholeOption),
      1,
    )
    .option(
      '--cells <n>',
      'cells of study (200) and study-workers (2000)',
      within(1, 1_000_000, wholeOption),
    )
    .option('--ns3 <path>', 'program of the HPCC simulator that emulator compares with')
    .action(async (suite: string | undefined, options: BenchOptions) => {
      const names = suitesOf(suite);
      const rounds = Math.max(1, options.rounds);
      const loadBefore = loadAverage();
      const figures: Record<string, object> = {};
      for (const name of names) figures[name] = await suiteOf(name)({ ...options, rounds });
      const rss = Math.round(process.memoryUsage().rss / 1e6);
      // Whoever reads the figures must know whether the machine had other work.
      const machine = { node: process.version, loadBefore, loadAfter: loadAverage() };
      print(JSON.stringify({ ...machine, rounds, residentMegabytes: rss, ...figures }, null, 2));
    });
}

/** All that need no rights; or one, where `switch` forwards between interfaces too if it may. */
function suitesOf(suite: string | undefined): readonly string[] {
  if (suite === undefined) return Object.keys(SUITES);
  return suite === 'switch' && process.getuid?.() === 0 ? ['switch', 'switch-live'] : [suite];
}

function suiteOf(name: string): Suite {
  const suite = SUITES[name] ?? NAMED_SUITES[name];
  if (suite !== undefined) return suite;
  const known = Object.keys({ ...SUITES, ...NAMED_SUITES }).join(', ');
  throw new InputError(`no suite '${name}'; there are ${known}`);
}

/** Processes that wanted a processor, on average over the last minute. */
const loadAverage = (): number => Number((os.loadavg()[0] ?? 0).toFixed(2));
