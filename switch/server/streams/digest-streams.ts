import { RpcError } from '../../../common/p4runtime/codes';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { DigestInfo } from '../../../common/p4runtime/p4info-externs';
import type { DigestSample } from '../../control/program-control';
import type { ServerClock } from './clock';
import { Limits } from '../limits/limits';
import { DigestLists } from './digest-lists';
import type { SampleList } from './digest-lists';
import type { DigestConfig, DigestSettings } from '../state/running-pipeline';
import { encodeP4Data } from '../../../common/p4runtime/p4-data';
import { inScope } from '../roles/roles';
import type { Roles } from '../roles/roles';

/** A digest that the controller has enabled. */
interface EnabledDigest {
  readonly info: DigestInfo;
  readonly lists: DigestLists;
  callOff: () => void;
}

/**
 * The digests of one device: enabled and configured by DigestEntry, sent as lists on the streams of
 * the primaries (P4Runtime 1.5.0, section "DigestEntry").
 */
export class DigestStreams implements DigestSettings {
  private readonly enabled = new Map<number, EnabledDigest>();
  private lastListId = 0n;

  constructor(
    private readonly roles: Roles,
    private readonly clock: ServerClock,
    private readonly limits = new Limits(),
  ) {}

  settings(digestId: number): DigestConfig | undefined {
    return this.enabled.get(digestId)?.lists.settings;
  }

  configure(info: DigestInfo, config: DigestConfig): void {
    const known = this.enabled.get(info.id);
    if (known !== undefined) {
      known.lists.configure(config);
      return;
    }
    const lists = new DigestLists(config, () => ++this.lastListId, this.limits);
    this.enabled.set(info.id, { info, lists, callOff: () => undefined });
  }

  disable(digestId: number): void {
    this.enabled.get(digestId)?.callOff();
    this.enabled.delete(digestId);
  }

  /** Forgets all, because the program has changed or the server stops. */
  clear(): void {
    for (const digestId of [...this.enabled.keys()]) this.disable(digestId);
  }

  /** Takes a sample from the data plane; one of a digest that is not enabled is dropped. */
  learn(digestId: number, sample: DigestSample): void {
    const digest = this.enabled.get(digestId);
    if (digest === undefined) return;
    this.send(digest, digest.lists.add(this.clock.now(), sample));
    this.await(digest);
  }

  /**
   * @throws RpcError INVALID_ARGUMENT for an unknown digest. An unknown list is none: it may have
   * expired.
   */
  acknowledge({ digestId, listId }: p4.DigestListAck): void {
    const digest = this.enabled.get(digestId);
    if (digest === undefined) {
      throw new RpcError('INVALID_ARGUMENT', `digest ${digestId} is not enabled`);
    }
    digest.lists.acknowledge(BigInt(listId));
  }

  private await(digest: EnabledDigest): void {
    digest.callOff();
    const wakeup = digest.lists.wakeup();
    if (wakeup === undefined) return;
    digest.callOff = this.clock.wakeAt(wakeup, () => {
      this.send(digest, digest.lists.poll(this.clock.now()));
      this.await(digest);
    });
  }

  private send({ info }: EnabledDigest, list: SampleList | undefined): void {
    if (list === undefined) return;
    const digest = new p4.DigestList({
      digestId: info.id,
      listId: String(list.listId),
      data: list.samples.map((sample) => encodeP4Data(info.dataType, sample)),
      timestamp: String(this.clock.sinceEpoch()),
    });
    const message = new p4.StreamMessageResponse({ digest });
    this.roles.sendToPrimaries(message, (scope) => inScope(scope, info.id));
  }
}
