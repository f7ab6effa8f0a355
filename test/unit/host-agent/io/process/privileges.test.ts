import { findUser } from '../../../../../host-agent/io/process/privileges';

const PASSWD = 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65533::/:/usr/sbin/nologin\n';

describe('users', () => {
  test.each([
    ['nobody', 65534],
    ['65534', 65534],
    ['root', 0],
  ])('%s is found', (name, uid) => {
    expect(findUser(name, PASSWD).uid).toBe(uid);
  });

  test.each(['', 'x', 'nologin'])("'%s' is none", (name) => {
    expect(() => findUser(name, PASSWD)).toThrow(`no user '${name}' in /etc/passwd`);
  });
});
