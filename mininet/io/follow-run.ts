import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { InputError } from '../../common/errors';
import { projectVersion } from '../../common/io/repository';
import { parseNetwork } from '../../controller/document/load';
import { networkSpec } from '../../controller/document/network';
import { watchedSession } from '../../emulator/view/server/watched-network';
import type { WatchedSession } from '../../emulator/view/server/watched-network';
import type { ViewSession } from '../../emulator/view/server/view-session';
import { parseJson, tcpSampleSchema, traceLineSchema } from '../observation/outputs';
import type { TraceLine } from '../observation/outputs';
import { RunWatch } from '../observation/watch';
import type { TracedFlow } from '../observation/watch';
import { planSchema } from '../plan/plan';
import type { Plan } from '../plan/plan';
import { portSampleSchema } from '../plan/run-files';
import { FollowedFile } from './followed-file';

export interface FollowedRun {
  readonly session: ViewSession;
  /** Resolves when the run has ended, or the view is closed. */
  readonly over: Promise<void>;
}

/**
 * Interval between two looks at the files: with the delay of their writers, below a second. More
 * often would take from the run the processor that it is measured on.
 */
const EVERY_MS = 450;
const TRACE = '.trace.jsonl';

const readySchema = z.object({ readySince: z.number() });
const lineSchema = z.union([traceLineSchema, tcpSampleSchema]);

/** True if the folder has a run under Mininet that may be going on. */
export const isRunFolder = (folder: string): boolean =>
  fs.existsSync(path.join(folder, 'plan.json'));

/**
 * Follows the files that a run under Mininet is writing, and nothing else: the run does not know.
 * @throws InputError for a run that is over, or files that are not what they should be.
 */
export function followRun(folder: string, signal: AbortSignal): FollowedRun {
  const file = (name: string): string => path.join(folder, name);
  const text = (name: string): string => fs.readFileSync(file(name), 'utf8');
  if (fs.existsSync(file('run.json'))) {
    throw new InputError(`the run in ${folder} is over: view it without --live`);
  }
  const plan = parseJson(text('plan.json'), file('plan.json'), planSchema);
  const network = file('network.json');
  const { topology } = networkSpec(parseNetwork(text('network.json'), network));
  const watch = new RunWatch({
    title: `${plan.experiment} under Mininet`,
    name: plan.experiment,
    of: topology,
    parameters: {},
    generator: {
      version: projectVersion(),
      commit: 'unknown',
      p4Program: `${plan.switches[0]?.program.name ?? 'unknown'}.p4`,
      p4Digest: 'unknown',
      executor: plan.switches[0]?.kind ?? 'unknown',
      queueModel: 'real',
    },
  });
  const shown = watchedSession(watch.network, `./hpcc view ${folder} --live`);
  return { session: shown.session, over: followFiles({ folder, plan, watch, shown }, signal) };
}

interface Following {
  readonly folder: string;
  readonly plan: Plan;
  readonly watch: RunWatch;
  readonly shown: WatchedSession;
}

async function followFiles(
  { folder, plan, watch, shown }: Following,
  signal: AbortSignal,
): Promise<void> {
  const readers = new Readers(folder, plan, watch);
  let isOver = false;
  while (!isOver && !signal.aborted) {
    // Looked at before the files are read: what was written until then is in them.
    isOver = fs.existsSync(path.join(folder, 'run.json'));
    const readySince = readers.read();
    if (readySince === undefined) shown.say('the network is being set up');
    else if (!isOver) shown.show((Date.now() / 1000 - readySince) * 1e6);
    await setTimeout(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  if (isOver) shown.say(`the run is over: ./hpcc view ${folder} shows its result`);
}

class Readers {
  readonly #ports: FollowedFile;
  readonly #traces = new Map<string, FollowedFile>();
  #readySince: number | undefined;

  constructor(
    private readonly folder: string,
    private readonly plan: Plan,
    private readonly watch: RunWatch,
  ) {
    this.#ports = new FollowedFile(path.join(folder, 'ports.jsonl'));
  }

  /** Reads what is new. Returns the Unix time in seconds of readiness, once it is known. */
  read(): number | undefined {
    this.#readySince ??= this.#ready();
    if (this.#readySince === undefined) return undefined;
    // Queues first: the counters of an instant close its intervals.
    this.#readTraces(this.#readySince);
    for (const line of this.#ports.lines()) {
      this.watch.ports(parseJson(line, placeIn(this.#ports), portSampleSchema));
    }
    return this.#readySince;
  }

  #ready(): number | undefined {
    const file = path.join(this.folder, 'ready.json');
    if (!fs.existsSync(file)) return undefined;
    return parseJson(fs.readFileSync(file, 'utf8'), file, readySchema).readySince;
  }

  #readTraces(readySince: number): void {
    for (const name of fs.readdirSync(this.folder)) {
      if (!name.endsWith(TRACE) || this.#traces.has(name)) continue;
      this.#traces.set(name, new FollowedFile(path.join(this.folder, name)));
    }
    for (const [name, file] of this.#traces) {
      const sender = this.#senderOf(name.slice(0, -TRACE.length));
      for (const text of file.lines()) {
        const line = parseJson(text, placeIn(file), lineSchema);
        const t = line.t - readySince;
        if ('hops' in line) this.watch.trace({ ...line, t }, this.#flowOf(line, sender));
        else this.watch.tcp({ ...line, t }, sender.source);
      }
    }
  }

  /** A receiver's lines are of flows that others send to it. */
  #flowOf({ flow, source }: TraceLine, own: TracedFlow): TracedFlow {
    if (source === undefined) return own;
    const from = this.plan.hosts.find(({ ipv4 }) => ipv4 === source)?.name ?? source;
    return { key: `${own.key} ${source} ${flow}`, source: from, destination: own.source };
  }

  /** Host and destination of a process that writes a trace. */
  #senderOf(name: string): TracedFlow {
    const { timeline, services, hosts } = this.plan;
    const started = timeline.flatMap((each) => (each.action === 'start' ? [each.process] : []));
    const process = [...started, ...services].find((each) => each.name === name);
    const to = hosts.find(({ ipv4 }) => process?.argv.includes(ipv4) === true);
    return { key: name, source: process?.node ?? name, destination: to?.name ?? '' };
  }
}

const placeIn = (file: FollowedFile): string => `${file.path}:${file.line}`;
