import type { Copy } from './target';

/** One node of the replication engine: so many ports get a copy with one replication id. */
export interface MulticastNode {
  readonly replicationId: number;
  readonly ports: readonly number[];
}

/** What a call asks for that the engine does not have. */
export type MulticastProblem = 'unknown-group' | 'unknown-node' | 'taken';

/** Groups and nodes in bmv2's sense, for which the switch itself knows only lists of copies. */
export class MulticastNodes {
  readonly #nodes = new Map<number, MulticastNode>();
  /** Handles of nodes by group, in order of association. */
  readonly #groups = new Map<number, number[]>();
  #nextHandle = 0;

  /** Making a group again changes nothing, as on bmv2. */
  createGroup(group: number): void {
    if (!this.#groups.has(group)) this.#groups.set(group, []);
  }

  destroyGroup(group: number): MulticastProblem | undefined {
    return this.#groups.delete(group) ? undefined : 'unknown-group';
  }

  /** Returns the handle of the new node. */
  createNode(node: MulticastNode): number {
    const handle = this.#nextHandle++;
    this.#nodes.set(handle, node);
    return handle;
  }

  /** Other ports for a node; its replication id stays. */
  updateNode(handle: number, ports: readonly number[]): MulticastProblem | undefined {
    const node = this.#nodes.get(handle);
    if (node === undefined) return 'unknown-node';
    this.#nodes.set(handle, { ...node, ports });
    return undefined;
  }

  destroyNode(handle: number): MulticastProblem | undefined {
    if (!this.#nodes.delete(handle)) return 'unknown-node';
    for (const [group, handles] of this.#groups) {
      this.#groups.set(
        group,
        handles.filter((other) => other !== handle),
      );
    }
    return undefined;
  }

  associate(group: number, handle: number): MulticastProblem | undefined {
    const problem = this.#missing(group, handle);
    if (problem !== undefined) return problem;
    // As in bmv2, a node belongs to one group at most.
    if (this.groupsOf(handle).length > 0) return 'taken';
    this.#groups.get(group)?.push(handle);
    return undefined;
  }

  dissociate(group: number, handle: number): MulticastProblem | undefined {
    const problem = this.#missing(group, handle);
    if (problem !== undefined) return problem;
    const handles = this.#groups.get(group) ?? [];
    if (!handles.includes(handle)) return 'unknown-node';
    this.#groups.set(
      group,
      handles.filter((other) => other !== handle),
    );
    return undefined;
  }

  /** Groups that a node belongs to. */
  groupsOf(handle: number): number[] {
    return [...this.#groups].flatMap(([group, handles]) => (handles.includes(handle) ? group : []));
  }

  /** The copies of a group: nodes in order of association, ports in ascending order. */
  copies(group: number): Copy[] {
    return (this.#groups.get(group) ?? []).flatMap((handle) => {
      const node = this.#nodes.get(handle);
      if (node === undefined) return [];
      const { replicationId, ports } = node;
      return ports.map((port) => ({ port, replicationId }));
    });
  }

  /** The form that bmv2's command line prints: two levels of handles, which are equal here. */
  toJson(): string {
    const nodes = [...this.#nodes];
    return JSON.stringify({
      mgrps: [...this.#groups].map(([id, handles]) => ({ id, l1_handles: handles })),
      l1_handles: nodes.map(([handle, { replicationId }]) => ({
        handle,
        rid: replicationId,
        l2_handle: handle,
      })),
      l2_handles: nodes.map(([handle, { ports }]) => ({ handle, ports, lags: [] })),
      lags: [],
    });
  }

  #missing(group: number, handle: number): MulticastProblem | undefined {
    if (!this.#groups.has(group)) return 'unknown-group';
    return this.#nodes.has(handle) ? undefined : 'unknown-node';
  }
}
