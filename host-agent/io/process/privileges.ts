import * as fs from 'node:fs';
import { InputError } from '../../../common/errors';
import type { Environment } from '../../../common/io/environment';

/**
 * Whom a host wants its process to become, if anybody.
 * @throws InputError when there is no such user, or the process is not the host's alone.
 */
export function wantedUser(
  { user }: { readonly user?: string },
  { isShared }: Environment,
): User | undefined {
  if (user === undefined) return undefined;
  if (!isShared) return findUser(user);
  throw new InputError(
    `--user ${user}: only a host that has a process of its own changes its user`,
  );
}

/** A user that a process may become. */
export interface User {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * Looks a user up by name or number, before anything is opened.
 * @throws InputError when there is none, or this process may not become it.
 */
export function findUser(name: string, passwd = fs.readFileSync('/etc/passwd', 'utf8')): User {
  for (const line of passwd.split('\n')) {
    const [login = '', , uid = '', gid = ''] = line.split(':');
    if (login !== '' && (login === name || uid === name)) {
      return { name: login, uid: Number(uid), gid: Number(gid) };
    }
  }
  throw new InputError(`no user '${name}' in /etc/passwd`);
}

/**
 * Becomes that user for good; sockets stay open.
 * @throws InputError when the process may not.
 */
export function becomeUser({ name, uid, gid }: User): void {
  try {
    process.setgroups?.([gid]);
    process.setgid?.(gid);
    process.setuid?.(uid);
  } catch (error) {
    const reason = (error as Error).message;
    throw new InputError(`cannot become user ${name}: ${reason}; only root can`);
  }
}
