import { RpcError } from '../../../common/p4runtime/codes';
import { RPC_CODE } from '../../../common/p4runtime/rpc-code';
import type { RpcCode } from '../../../common/p4runtime/rpc-code';
import type { Compatibility } from './compatibility';

/**
 * The election of one role of one device (P4Runtime 1.5.0, chapter "Client Arbitration and
 * Controller Replication"). By the specification, primary is the live client whose election id is the
 * highest ever seen; when it leaves, nobody follows until someone bids at least as high. On bmv2 it is
 * the live client with the highest id of those that are connected, so that the next one follows by
 * itself. Under the specification's rule:
 *
 *      bid >= highest            bid lower, or leaves
 *   backup ----------> primary ----------------------> backup or gone
 */
export class Election<Client> {
  private readonly bids = new Map<Client, bigint | undefined>();
  private highest: bigint | undefined;
  private primary: Client | undefined;

  constructor(
    private readonly clientLimit: number,
    private readonly rule: Compatibility = 'specification',
    /** Called for a client that has had to give way. */
    private readonly evicted: (client: Client) => void = () => undefined,
  ) {}

  /**
   * Takes a client's bid, its first or a later one; undefined never wins, but counts as 0 on bmv2.
   * @returns the notices to send, in this order.
   * @throws RpcError INVALID_ARGUMENT when another client uses the id, RESOURCE_EXHAUSTED when
   * there are too many clients with ids; then nothing has changed.
   */
  bid(client: Client, requested: bigint | undefined): Notice<Client>[] {
    const electionId = this.idOf(requested);
    this.refuse(client, electionId);
    if (this.rule === 'bmv2' && this.bids.get(client) === electionId) return [];
    if (!this.bids.has(client) && this.bids.size >= this.clientLimit) this.makeRoom(electionId);
    const previous = this.primary;
    this.bids.set(client, electionId);
    this.elect();
    const changed = previous !== this.primary || this.primary === client;
    return changed ? this.noticesForAll() : [this.notice(client)];
  }

  /** Forgets a client whose stream has ended. @returns the notices to send. */
  leave(client: Client): Notice<Client>[] {
    this.bids.delete(client);
    if (this.primary !== client) return [];
    this.elect();
    return this.noticesForAll();
  }

  /** True if a request with this election id comes from the primary. */
  isPrimary(requested: bigint | undefined): boolean {
    const electionId = this.idOf(requested);
    return this.primary !== undefined && electionId !== undefined && electionId === this.highest;
  }

  isPrimaryClient(client: Client): boolean {
    return this.primary === client;
  }

  /** The client that may write, if there is one. */
  get primaryClient(): Client | undefined {
    return this.primary;
  }

  /** True if nobody is connected. */
  get isEmpty(): boolean {
    return this.bids.size === 0;
  }

  /** The election id; bmv2 takes a missing id as 0. */
  private idOf(requested: bigint | undefined): bigint | undefined {
    return this.rule === 'bmv2' ? (requested ?? 0n) : requested;
  }

  private elect(): void {
    if (this.rule === 'bmv2') this.highest = undefined;
    this.primary = undefined;
    for (const [client, electionId] of this.bids) {
      if (electionId === undefined || electionId < (this.highest ?? 0n)) continue;
      this.highest = electionId;
      this.primary = client;
    }
  }

  private refuse(client: Client, electionId: bigint | undefined): void {
    for (const [other, used] of this.bids) {
      if (other !== client && electionId !== undefined && used === electionId) {
        throw new RpcError('INVALID_ARGUMENT', `election id ${electionId} is already in use`);
      }
    }
  }

  /**
   * A backup without an election id can never become primary: for a client with one, the oldest of
   * them gives way. @throws RpcError RESOURCE_EXHAUSTED when there is none.
   */
  private makeRoom(electionId: bigint | undefined): void {
    const idle = electionId === undefined ? undefined : this.oldestIdle();
    if (idle === undefined) {
      const reason = `there are already ${this.clientLimit} controllers (limit controllers)`;
      throw new RpcError('RESOURCE_EXHAUSTED', reason);
    }
    this.bids.delete(idle);
    this.evicted(idle);
  }

  private oldestIdle(): Client | undefined {
    for (const [client, bid] of this.bids) if (bid === undefined) return client;
    return undefined;
  }

  /**
   * Notices for all; the new primary gets its own last, when no other client takes itself for
   * primary.
   */
  private noticesForAll(): Notice<Client>[] {
    const clients = [...this.bids.keys()];
    const backups = clients.filter((each) => each !== this.primary);
    const order = this.primary === undefined ? backups : [...backups, this.primary];
    return order.map((each) => this.notice(each));
  }

  private notice(client: Client): Notice<Client> {
    const vacant = this.primary === undefined && this.rule === 'specification';
    const lost = vacant ? RPC_CODE.NOT_FOUND : RPC_CODE.ALREADY_EXISTS;
    const code = client === this.primary ? RPC_CODE.OK : lost;
    return { client, highest: this.highest, code };
  }
}

/**
 * Arbitration update for a client: the highest election id ever seen, and the client's own status.
 */
export interface Notice<Client> {
  readonly client: Client;
  readonly highest: bigint | undefined;
  /** OK for the primary, ALREADY_EXISTS for a backup, NOT_FOUND when there is no primary. */
  readonly code: RpcCode;
}
