import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { Ended } from '../../../bench/live/host-star';
import type { Leg } from '../../../bench/live/test-bed';
import { wordsAt } from '../../../host-agent/settings/idle';
import type { SendReport } from '../live-hosts';
import { StartedGroup } from './started-group';

/** An agent of the group. */
interface GroupAgent {
  stop(): Promise<Ended>;
}

/**
 * Hosts of a suite in one process, an `hpcc group`. PERF: each process of its own takes most of a second of the
 * processor to load and to warm up; hosts as processes are tried by run-agent.test.ts.
 */
export class GroupHosts {
  readonly #folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-group-hosts-'));
  readonly #group = new StartedGroup(this.#folder, []);
  #started = 0;

  /** Starts `hpcc agent` with the options of both hosts that it takes, and waits until it receives. */
  async startAgent(leg: Leg, ...argv: readonly string[]): Promise<GroupAgent> {
    const node = this.#start(leg, ['agent', ...wordsAt(argv, { starts: false, answers: true })]);
    await this.#group.wrote(`${node}.err`, /"msg":"ready"/);
    const stop = (): Promise<Ended> => {
      this.#group.tell({ signal: 'SIGTERM', node });
      return this.#ended(node);
    };
    return { stop };
  }

  /** Runs `hpcc send --json` to its end, with the options of both hosts that it takes. */
  async send(
    leg: Leg,
    ...argv: readonly string[]
  ): Promise<Ended & { readonly report: SendReport }> {
    const own = wordsAt(argv, { starts: true, answers: false });
    const ended = await this.#ended(this.#start(leg, ['send', '--json', ...own]));
    if (ended.stdout === '') throw new Error(`hpcc send ended with ${ended.code}: ${ended.stderr}`);
    return { ...ended, report: JSON.parse(ended.stdout) as SendReport };
  }

  /** Ends all that run. */
  async stop(): Promise<void> {
    this.#group.child.kill('SIGTERM');
    await this.#group.ended;
    fs.rmSync(this.#folder, { recursive: true });
  }

  #start({ namespace, inner }: Leg, argv: readonly string[]): string {
    this.#started += 1;
    const node = `host${this.#started}`;
    const place = { namespace: `/run/netns/${namespace}` };
    this.#group.start(node, [...argv, '-i', inner], place);
    return node;
  }

  async #ended(node: string): Promise<Ended> {
    const end = await this.#group.event({ node, event: 'ended' });
    const [stdout, stderr] = ['out', 'err'].map((kind) => this.#group.text(`${node}.${kind}`));
    return {
      code: 'exitCode' in end ? end.exitCode : null,
      stdout: stdout ?? '',
      stderr: stderr ?? '',
    };
  }
}
