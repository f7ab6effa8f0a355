import type { ActionByName } from './action';

export interface ActionProfileMember {
  readonly kind: 'member';
  readonly actionProfile: string;
  readonly memberId: number;
  readonly action: ActionByName;
}

export interface ActionProfileGroup {
  readonly kind: 'group';
  readonly actionProfile: string;
  readonly groupId: number;
  readonly members: readonly GroupMember[];
  /** Largest sum of weights, 0 to leave it to the switch. */
  readonly maxSize: number;
}

export interface GroupMember {
  readonly memberId: number;
  readonly weight: number;
  /** While this port is down, the switch leaves the member out. */
  readonly watchPort?: number;
}
