import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { Ended } from '../../../bench/live/host-star';
import type { Leg } from '../../../bench/live/test-bed';
import { wordsAt } from '../../../host-agent/settings/idle';
import type { SendReport } from '../live-hosts';
import { StartedGroup } from './started-group';

/** A host of the group. */
export interface GroupHost {
  /** Resolves with the match once the log has it. */
  logged(pattern: RegExp): Promise<RegExpExecArray>;
  stop(signal?: NodeJS.Signals): Promise<Ended>;
  /** Resolves when the host has ended. */
  ended(): Promise<Ended>;
}

/**
 * Hosts of a suite in one process, an `hpcc group`. PERF: each process of its own takes most of a second of the
 * processor to load and to warm up; hosts as processes are tried by run-agent.test.ts.
 */
export class GroupHosts {
  readonly #folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-group-hosts-'));
  readonly #group = new StartedGroup(this.#folder, []);
  #started = 0;

  /** Starts `hpcc agent` or `hpcc send` inside the namespace. */
  start({ namespace }: Leg, argv: readonly string[]): GroupHost {
    this.#started += 1;
    const node = `host${this.#started}`;
    this.#group.start(node, argv, { namespace: `/run/netns/${namespace}` });
    const ended = (): Promise<Ended> => this.#ended(node);
    return {
      ended,
      logged: (pattern) => this.#group.wrote(`${node}.err`, pattern),
      stop: (signal = 'SIGTERM') => {
        this.#group.tell({ signal, node });
        return ended();
      },
    };
  }

  /** Starts `hpcc agent` with the options of both hosts that it takes, and waits until it receives. */
  async startAgent(leg: Leg, ...argv: readonly string[]): Promise<GroupHost> {
    const own = wordsAt(argv, { starts: false, answers: true });
    const host = this.start(leg, ['agent', ...own, '-i', leg.inner]);
    await host.logged(/"msg":"ready"/);
    return host;
  }

  /** Runs `hpcc send --json` to its end, with the options of both hosts that it takes. */
  async send(
    leg: Leg,
    ...argv: readonly string[]
  ): Promise<Ended & { readonly report: SendReport }> {
    const own = wordsAt(argv, { starts: true, answers: false });
    const ended = await this.start(leg, ['send', '--json', ...own, '-i', leg.inner]).ended();
    if (ended.stdout === '') throw new Error(`hpcc send ended with ${ended.code}: ${ended.stderr}`);
    return { ...ended, report: JSON.parse(ended.stdout) as SendReport };
  }

  /** Ends all that run. */
  async stop(): Promise<void> {
    this.#group.child.kill('SIGTERM');
    await this.#group.ended;
    fs.rmSync(this.#folder, { recursive: true });
  }

  async #ended(node: string): Promise<Ended> {
    const end = await this.#group.event({ node, event: 'ended' });
    const [stdout = '', stderr = ''] = ['out', 'err'].map((kind) =>
      this.#group.text(`${node}.${kind}`),
    );
    return { code: 'exitCode' in end ? end.exitCode : null, stdout, stderr };
  }
}
