import { InputError } from '../../../common/errors';

interface Sizes {
  /** Ranks that share a layer. */
  readonly tensor: number;
  /** Ranks that share experts. */
  readonly expert: number;
  /** Stages. */
  readonly pipeline: number;
  readonly all: number;
}

/**
 * Groups of ranks of a training: those of one layer are neighbours, then come replicas, then stages of the pipeline.
 * Experts are shared by neighbouring replicas.
 */
export class ParallelGroups {
  readonly groups: Record<string, number[]> = {};
  readonly #sizes: Sizes;
  readonly #replicas: number;

  /** @throws InputError for sizes that do not divide each other. */
  constructor(sizes: Sizes, file: string) {
    const { tensor, expert, pipeline, all } = sizes;
    this.#sizes = sizes;
    this.#replicas = all / (tensor * pipeline);
    if (!Number.isInteger(this.#replicas) || this.#replicas < 1) {
      throw new InputError(
        `${file}: ${all} ranks are no multiple of ${tensor} x ${pipeline} (tensor, pipeline)`,
      );
    }
    if (expert < 1 || this.#replicas % expert !== 0) {
      throw new InputError(`${file}: ${this.#replicas} replicas are no multiple of ${expert} (ep)`);
    }
  }

  /** Name of a rank's group of a kind: TP, DP, EP or DP_EP; undefined where it is alone in it. */
  nameFor(kind: string, rank: number): string | undefined {
    const { tensor, expert } = this.#sizes;
    const place = rank % tensor;
    const replica = Math.floor(rank / tensor) % this.#replicas;
    const stage = Math.floor(rank / (tensor * this.#replicas));
    const rankOf = (other: number, at = place): number =>
      (stage * this.#replicas + other) * tensor + at;
    const replicas = Array.from({ length: this.#replicas }, (_, i) => i);
    const block = Math.floor(replica / expert);
    const members = {
      TP: Array.from({ length: tensor }, (_, at) => rankOf(replica, at)),
      DP: replicas.map((other) => rankOf(other)),
      EP: replicas
        .filter((other) => Math.floor(other / expert) === block)
        .map((each) => rankOf(each)),
      DP_EP: replicas
        .filter((other) => other % expert === replica % expert)
        .map((each) => rankOf(each)),
    }[kind];
    if (members === undefined || members.length < 2) return undefined;
    const name = `${kind} of rank ${members[0]}`;
    this.groups[name] = members;
    return name;
  }
}
