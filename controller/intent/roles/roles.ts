import { COORDINATION_ROLE } from './coordination-role';
import { CSIG_ROLE } from './csig-role';
import { DIGEST_ROLE } from './digest-role';
import { EDGE_ROLE } from './edge-role';
import { FEEDBACK_ROLE, SIGNING_ROLE } from './feedback-role';
import { INSERTION_ROLE } from './insertion-role';
import { INT_ROLE } from './int-role';
import { IOAM_ROLE } from './ioam-role';
import { MARKING_ROLE, QUEUE_CLASS_ROLE } from './queue-classes';
import { QUEUE_SHARE_ROLE } from './queue-shares';
import { RELATIVE_ROLE } from './relative-role';
import { SERVICE_PATH_ROLE } from './service-path-role';
import { SPRAY_ROLE } from './spray-role';
import { TRIM_ROLE } from './trim-role';
import { TRIM_SESSION_ROLE } from './trim-sessions';
import { USID_ROLE } from './usid-role';
import type { Role, RoleContext, RoleState } from './role-parts';

/** All roles that a switch may have. Each states in its own file what asks for it and what it fills. */
export const ROLES: readonly Role[] = [
  FEEDBACK_ROLE,
  SIGNING_ROLE,
  INSERTION_ROLE,
  RELATIVE_ROLE,
  DIGEST_ROLE,
  MARKING_ROLE,
  QUEUE_CLASS_ROLE,
  QUEUE_SHARE_ROLE,
  IOAM_ROLE,
  SERVICE_PATH_ROLE,
  CSIG_ROLE,
  COORDINATION_ROLE,
  SPRAY_ROLE,
  TRIM_ROLE,
  TRIM_SESSION_ROLE,
  USID_ROLE,
  EDGE_ROLE,
  INT_ROLE,
];

/** The state of the roles that the document asks for and the switch's program has tables for. */
export function roleEntries(context: RoleContext): RoleState {
  const states = ROLES.map(({ state }) => state(context));
  return {
    replication: states.flatMap((each) => each.replication),
    entries: states.flatMap((each) => each.entries),
  };
}
