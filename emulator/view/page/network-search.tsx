import { useId, useState } from 'preact/hooks';
import type { Found, NetworkIndex } from '../network/network-index';

const MATCHES_SHOWN = 8;

/** Looks for a host, a switch or a link by name. */
export function NetworkSearch({
  index,
  go,
}: {
  readonly index: NetworkIndex;
  readonly go: (found: Found) => void;
}) {
  const [text, setText] = useState('');
  const id = useId();
  const matches = index.find(text.trim(), MATCHES_SHOWN);
  const [first] = matches;
  const choose = (found: Found): void => {
    setText('');
    go(found);
  };
  return (
    <form
      class="finds"
      role="search"
      aria-label="Nodes and links"
      onSubmit={(event) => {
        event.preventDefault();
        if (first !== undefined) choose(first);
      }}
    >
      <label for={id}>Find a node or link</label>
      <input
        id={id}
        type="search"
        autocomplete="off"
        placeholder="h7, or leaf-1 h7"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <span role="status">
        {text.trim() !== '' && matches.length === 0 && 'no node and no single link has this name'}
      </span>
      {matches.map((found) => (
        <button type="button" key={found.text} onClick={() => choose(found)}>
          {found.text}
        </button>
      ))}
    </form>
  );
}
