import { InputError } from '../../../common/errors';
import { describeUpdate } from '../../entities/describe';
import type { EntityUpdate } from '../../entities/named-entity';

/** A switch refused a call, or the connection to it broke. The message names the switch. */
export class SwitchError extends InputError {
  override readonly name: string = 'SwitchError';
  constructor(
    /** Name and address of the switch. */
    readonly place: string,
    reason: string,
    /** Name of the gRPC status code. */
    readonly codeName: string,
  ) {
    super(`${place}: ${reason}`);
  }
}

/** Nobody answers as a P4Runtime server within the deadline. */
export class SwitchUnreachableError extends SwitchError {
  override readonly name = 'SwitchUnreachableError';
}

/** Another controller is primary, so this one may not write. */
export class NotPrimaryError extends SwitchError {
  override readonly name = 'NotPrimaryError';
}

/** An update that the switch refused. */
export interface UpdateFailure {
  readonly kind: 'failed';
  readonly update: EntityUpdate;
  /** Name of the status code, such as ALREADY_EXISTS. */
  readonly codeName: string;
  readonly reason: string;
  /** True if the switch may have carried it out: it has refused others of the request, and has not said which. */
  readonly isUntold?: boolean;
}

/** A switch refused some updates that were needed; all of them are listed. */
export class WriteFailedError extends SwitchError {
  override readonly name = 'WriteFailedError';
  constructor(
    place: string,
    readonly failures: readonly UpdateFailure[],
    total: number,
  ) {
    const lines = failures.map(({ update, codeName, reason }) => {
      return `\n  ${describeUpdate(update)}: ${codeName}: ${reason}`;
    });
    super(place, `${failures.length} of ${total} updates failed${lines.join('')}`, 'UNKNOWN');
  }
}
