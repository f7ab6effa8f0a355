/**
 * Numbers of the fields of p4runtime.proto (v1.5.0), message by message, as far as entries and members are read and
 * written without messages.
 */
export const UPDATE = { type: 1, entity: 2 } as const;
export const ENTITY = { tableEntry: 2, member: 3 } as const;
export const ENTRY = { tableId: 1, match: 2, action: 3, priority: 4 } as const;
export const TABLE_ACTION = { action: 1, memberId: 2, groupId: 3 } as const;
export const ACTION = { id: 1, parameters: 4 } as const;
export const PARAMETER = { id: 2, value: 3 } as const;
export const MEMBER = { profileId: 1, memberId: 2, action: 3 } as const;
export const MATCH = { id: 1, exact: 2, ternary: 3, lpm: 4, range: 6, optional: 7 } as const;
