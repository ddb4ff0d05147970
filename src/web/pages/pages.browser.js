/**
 * What the pages do better with script, and do without as well: a form is sent once, a response to the client is sent by itself, what is ticked is counted, and an undo leaves when
 * its time is over. Text is only ever set as text.
 */
(() => {
  /** One press is one request: a second one would be told that the first has answered already. */
  for (const form of document.querySelectorAll('form[data-once]')) {
    form.addEventListener('submit', (event) => {
      if (form.hasAttribute('aria-busy')) event.preventDefault();
      else form.setAttribute('aria-busy', 'true');
    });
  }
  // Who comes back by the browser's own button may press again.
  addEventListener('pageshow', () => {
    for (const form of document.querySelectorAll('form[aria-busy]')) form.removeAttribute('aria-busy');
  });

  const response = document.querySelector('form[data-submit]');
  if (response instanceof HTMLFormElement) response.requestSubmit();

  const count = document.querySelector('[data-count]');
  const boxes = [...document.querySelectorAll('input[type="checkbox"][name^="scope."]')];
  const required = document.querySelectorAll('input[type="hidden"][name^="scope."]').length;
  const tell = () => {
    const ticked = boxes.filter((box) => box instanceof HTMLInputElement && box.checked).length + required;
    if (count !== null) count.textContent = `You would share ${ticked} of ${boxes.length + required}.`;
  };
  for (const box of boxes) box.addEventListener('change', tell);
  tell();

  for (const undo of document.querySelectorAll('form[data-undo]')) {
    setTimeout(() => undo.remove(), Number(undo.getAttribute('data-undo')) * 1000);
  }
})();
