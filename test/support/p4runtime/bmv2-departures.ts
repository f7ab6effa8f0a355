import type { Departure, Departures } from './departures';

/** Where bmv2 1.15 departs from P4Runtime 1.5.0 in what it is asked by the conformance suite. */
export const BMV2_DEPARTURES: Departures = {
  ...pipeline(),
  ...elections(),
  ...rolesAndStreams(),
  ...tables(),
  ...readsAndBatches(),
  ...actionProfiles(),
  ...countersAndMeters(),
  ...absentEntities(),
  ...replication(),
  ...packets(),
};

function pipeline(): Departures {
  return {
    'the version': answers('1.3.0', 'it implements an older version'),
    'the version of an unknown device': answers('1.3.0', 'Capabilities ignores the device'),
    'a configuration before the first': answers(
      'FAILED_PRECONDITION',
      'an unset configuration is an error instead of an empty answer',
    ),
    'a write after VERIFY': answers('OK', 'VERIFY takes the P4Info into use'),
    'a cookie after VERIFY': answers('none', 'VERIFY takes the configuration into use'),
    'the cookie of a saved configuration': answers('7', 'a saved configuration is told as running'),
    'COMMIT without a saved configuration': answers('UNKNOWN', 'the target finds nothing to swap'),
    'COMMIT with a configuration': answers('UNKNOWN', 'the configuration is ignored'),
    'a push without a configuration': answers('OK', 'an empty P4Info passes the verification'),
    'a push without a program': answers('OK', 'a missing program is not noticed'),
    'a push with a broken program': answers('UNKNOWN', 'errors of the target have no code'),
    'a P4Info of another program': answers(
      { code: 'OK', message: '' },
      'P4Info and program are not compared',
    ),
    'the cookie after a P4Info of another program': answers('2', 'the push has succeeded'),
  };
}

function elections(): Departures {
  const promotion = 'the highest id of those connected is primary, not the highest ever seen';
  const device = 'a device comes into being with the first bid for it';
  return {
    'the standing after a repeated bid': answers(['OK', '6'], 'only changes are answered'),
    'a bid without an id': answers(['OK', '0'], 'a missing id counts as 0'),
    'a write without an id': answers('FAILED_PRECONDITION', 'a missing id counts as 0'),
    'a bid of zero after a bid without an id': answers(
      'ended with INVALID_ARGUMENT',
      'a missing id counts as 0, which is then in use',
    ),
    'a bid for an unknown device': answers('OK 1', device),
    'a call for an unknown device': answers('FAILED_PRECONDITION', device),
    'a push to an unknown device': answers('UNKNOWN', `${device}; the target then refuses`),
    'the standing after the primary has left': answers(['OK', '9'], promotion),
    'a write of a backup without a primary': answers('FAILED_PRECONDITION', promotion),
    'the standing of a primary that bids lower': answers(['ALREADY_EXISTS', '9'], promotion),
    'the standing of a backup when the primary bids lower': answers(['OK', '9'], promotion),
  };
}

function rolesAndStreams(): Departures {
  const roles = 'roles are ignored';
  const silence = 'it sends no stream errors unless a service of its own asks for them';
  return {
    'an equal bid for another role': answers('ended with INVALID_ARGUMENT', roles),
    'a write of another role': answers('FAILED_PRECONDITION', roles),
    'a change of role': answers('OK 2', roles),
    'a packet of a backup': answers('arbitration', silence),
    'a packet before the first program': answers('arbitration', silence),
    'the packet in a refusal': answers([], silence),
    'the digest list in a refusal': answers('arbitration', silence),
  };
}

function tables(): Departures {
  const wide = 'a value that is too wide has the code of any other wrong value';
  const target = 'errors of the target have no code';
  return {
    'a value of a key above its 9 bits': answers('INVALID_ARGUMENT', wide),
    'a value of a parameter above its 32 bits': answers('INVALID_ARGUMENT', wide),
    'a value that is empty': answers('OK', 'no bytes count as 0'),
    'an entry with the full range': answers('OK', 'a range is not compared with the whole field'),
    'an entry with is_const': answers('OK', 'the field is younger than its version'),
    'an entry too many': answers('UNKNOWN', target),
    'an entry of a table without key': answers('UNKNOWN', target),
    'an entry of a constant table': answers('UNKNOWN', target),
  };
}

function readsAndBatches(): Departures {
  const initial = 'initial entries of tables that are not constant cannot be read';
  return {
    'how many entries a filter by priority lets through': answers(2, 'the filter is ignored'),
    'how many entries a filter by metadata lets through': answers(1, 'the filter is ignored'),
    'a filter by match without a priority': answers(
      ['INVALID_ARGUMENT', 0],
      'a filter by match names one entry, with its priority',
    ),
    'a read of initial entries': answers('INTERNAL', initial),
    'a wildcard read leaves default entries out': skipped(initial),
    'entries that the program brings at first can be read, modified and deleted': skipped(initial),
    'an update of no entity': answers('UNKNOWN', 'the union without a member has no code'),
    'a read of which one request fails': answers(
      [0, 'UNKNOWN', undefined],
      'a read of several requests fails as a whole',
    ),
  };
}

function actionProfiles(): Departures {
  const target = 'errors of the target have no code';
  return {
    'a route to a missing member': answers(
      'INVALID_ARGUMENT',
      'a missing reference has the code of any other wrong value',
    ),
    'a group whose members were missing': answers(
      'ALREADY_EXISTS',
      'a refused group stays, without members',
    ),
    'the deletion of a member in use': answers('UNKNOWN', target),
    'the deletion of a group in use': answers('UNKNOWN', target),
    'a group of a plain profile': answers('OK', 'groups are taken that no table can use'),
    'a member too many': answers('OK', 'the size of a profile is not enforced'),
  };
}

function countersAndMeters(): Departures {
  const target = 'errors of the target have no code';
  const cells = 'an array is written cell by cell';
  const direct = 'direct resources are read table by table';
  return {
    'an index behind the last': answers('UNKNOWN', target),
    'a meter cell behind the last': answers('UNKNOWN', target),
    'a write of all cells of a counter': answers('UNIMPLEMENTED', cells),
    'a write of all cells of a meter': answers('UNIMPLEMENTED', cells),
    'all cells of a counter, a meter and a register are written at once': skipped(cells),
    'a read of all direct counters': answers('INVALID_ARGUMENT', direct),
    'a read of all direct meters': answers('INVALID_ARGUMENT', direct),
    'direct resources of all tables are read at once': skipped(direct),
    'meter rates with a negative rate': answers('UNKNOWN', target),
    'meter rates with a cir above the pir': answers('UNKNOWN', target),
    'meter rates with a burst above 32 bits': answers('UNIMPLEMENTED', 'bursts have 32 bits'),
    'meter rates with an eburst': answers('OK', 'the field is younger than its version'),
    'counters per colour': answers('OK', 'the field is younger than its version'),
    'a direct counter of a missing entry': answers(
      'INVALID_ARGUMENT',
      'it has the code of any other wrong value',
    ),
    'whether a modification keeps the meter': answers(true, 'only a configuration changes it'),
  };
}

function absentEntities(): Departures {
  const registers = 'it has no registers over P4Runtime';
  const valueSets = 'it has no value sets over P4Runtime';
  const of = (respects: readonly string[], departure: Departure): Departures =>
    Object.fromEntries(respects.map((respect) => [respect, departure]));
  return {
    ...of(
      [
        'a write of a register',
        'a read of a register',
        'a register with an insert',
        'a register with no data',
        'a register with an index behind the last',
        'a register with a value above 48 bits',
        'a register with a value above 16 signed bits',
      ],
      answers('UNIMPLEMENTED', registers),
    ),
    'a register is written and read by cell, signed or not': skipped(registers),
    'a register tells of a packet': skipped(registers),
    ...of(
      [
        'a write of a value set',
        'a read of a value set',
        'a value set with an insert',
        'a value set with five members',
        'a value set with a member twice',
        'a value set with a member too wide',
      ],
      answers('UNIMPLEMENTED', valueSets),
    ),
    'a value set is replaced, read and emptied': skipped(valueSets),
  };
}

function replication(): Departures {
  const younger = 'the field is younger than its version';
  const truncation = 'the target refuses sessions that truncate';
  return {
    'a group above 32767': answers('OUT_OF_RANGE', 'it is told by another code'),
    'the drop port': answers('OK', 'it is a port as any other'),
    'an instance above 16 bits': answers('OK', 'it is not compared with the width'),
    'a negative truncation': answers('UNKNOWN', truncation),
    'a port that is its own backup': answers('OK', younger),
    'a backup that is another copy': answers('OK', younger),
    'what a group keeps': answers(
      {
        metadata: new Uint8Array(0),
        replicas: [{ port: Uint8Array.of(1), egressPort: 0, instance: 0, backupReplicas: [] }],
      },
      younger,
    ),
    'a truncating session': answers('UNKNOWN', truncation),
    'what a truncating session keeps': answers(undefined, truncation),
  };
}

function packets(): Departures {
  return {
    'a clone is truncated to the length of its session': skipped(
      'the target refuses sessions that truncate',
    ),
    'times since the last hit are those of the packets': skipped(
      'its clock goes on while the test looks, so no time is the right one',
    ),
  };
}

function answers(answer: unknown, reason: string): Departure {
  return { kind: 'answers', answer, reason };
}

function skipped(reason: string): Departure {
  return { kind: 'skipped', reason };
}
