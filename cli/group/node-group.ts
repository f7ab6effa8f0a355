import { InputError } from '../../common/errors';
import type { RunSignal } from '../../common/io/environment';
import type { NodeDocument } from './group-document';
import { nodeFault } from './group-document';
import { Node } from './node';

/** Events that a group prints, one line of JSON each. */
export type GroupEvent =
  | { readonly node: string; readonly event: 'started' }
  | {
      readonly node: string;
      readonly event: 'ended';
      readonly exitCode: number | null;
      readonly signal: string | null;
    }
  | { readonly node: string; readonly event: 'output' | 'error-output'; readonly text: string }
  | { readonly event: 'refused'; readonly reason: string };

/** Many switches and hosts in this process, each of which begins and ends by itself. */
export class NodeGroup {
  /** Nodes in the order of their starts. */
  readonly #nodes = new Map<string, Node>();
  readonly #tell: (event: GroupEvent) => void;
  #haveAllSucceeded = true;

  constructor(tell: (event: GroupEvent) => void) {
    this.#tell = tell;
  }

  /** True if no node that has ended failed. */
  get haveAllSucceeded(): boolean {
    return this.#haveAllSucceeded;
  }

  /** @throws InputError naming the node and what stands against it. */
  start(document: NodeDocument): void {
    const { name } = document;
    const fault = nodeFault(document);
    if (fault !== undefined) throw new InputError(fault);
    if (this.#nodes.has(name)) throw new InputError(`node ${name} runs already`);
    const node = new Node(document, (of, stream, text) =>
      this.#tell({ node: of, event: stream === 1 ? 'output' : 'error-output', text }),
    );
    this.#nodes.set(name, node);
    this.#tell({ node: name, event: 'started' });
    // Its name is free when its interfaces, files and ports are.
    void node.gone.then(() => this.#nodes.delete(name));
    void node.ended.then((end) => {
      this.#haveAllSucceeded &&= end.exitCode === 0;
      this.#tell({ node: name, event: 'ended', ...end });
    });
    void node.run();
  }

  /** A node that has ended hears nothing. */
  signal(name: string, signal: RunSignal | 'SIGKILL'): void {
    const node = this.#nodes.get(name);
    if (signal === 'SIGKILL') node?.abandon();
    else node?.signal(signal);
  }

  /** Asks all to end, the last one first; {@link NodeGroup.ended} tells when they have. */
  stop(): void {
    for (const node of [...this.#nodes.values()].reverse()) node.signal('SIGTERM');
  }

  /** Resolves when none is left of those that run now. */
  async ended(): Promise<void> {
    await Promise.all([...this.#nodes.values()].map((node) => node.ended));
  }
}
