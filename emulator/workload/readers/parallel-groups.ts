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

/** Ranks as far apart from each other as the first two. */
interface Members {
  readonly first: number;
  readonly step: number;
  readonly count: number;
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
    const block = Math.floor(replica / expert);
    const found: Members | undefined = {
      TP: { first: rankOf(replica, 0), step: 1, count: tensor },
      DP: { first: rankOf(0), step: tensor, count: this.#replicas },
      EP: { first: rankOf(block * expert), step: tensor, count: expert },
      DP_EP: {
        first: rankOf(replica % expert),
        step: tensor * expert,
        count: this.#replicas / expert,
      },
    }[kind];
    if (found === undefined || found.count < 2) return undefined;
    const { first, step, count } = found;
    const name = `${kind} of rank ${first}`;
    // PERF: asked for each rank and layer.
    this.groups[name] ??= Array.from({ length: count }, (_, i) => first + i * step);
    return name;
  }
}
