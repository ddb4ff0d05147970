/**
 * Progressive enhancement of the pages, which also work without script: submits each form once, submits the authorization response
 * automatically, counts the selected scopes and conditions, and removes an expired undo. Sets text only as text.
 */
(() => {
  /** When a form may be submitted again if no page has followed: longer than a response takes. */
  const RESUBMIT_MS = 10_000;

  /** Submits each form once: a second request would fail. */
  for (const form of document.querySelectorAll('form[data-once]')) {
    form.addEventListener('submit', (event) => {
      // The hidden button submits nothing.
      if (event instanceof SubmitEvent && event.submitter?.hidden) return;
      if (form.hasAttribute('aria-busy')) event.preventDefault();
      else {
        form.setAttribute('aria-busy', 'true');
        // Browsers do not report that the navigation failed or was stopped.
        setTimeout(() => form.removeAttribute('aria-busy'), RESUBMIT_MS);
      }
    });
  }
  // Allows submitting again after navigating back.
  addEventListener('pageshow', () => {
    for (const form of document.querySelectorAll('form[aria-busy]')) form.removeAttribute('aria-busy');
  });

  const response = document.querySelector('form[data-submit]');
  if (response instanceof HTMLFormElement) response.requestSubmit();

  const count = document.querySelector('[data-count]');
  const boxes = [
    ...document.querySelectorAll('input[type="checkbox"]:is([name^="scope."], [name^="condition."])'),
  ];
  const required = document.querySelectorAll('input[type="hidden"][name^="scope."]').length;
  const numbers = new Intl.NumberFormat(document.documentElement.lang);
  const updateCount = () => {
    const ticked = boxes.filter((box) => box instanceof HTMLInputElement && box.checked).length + required;
    const message = count?.getAttribute('data-count') ?? '';
    if (count !== null)
      count.textContent = message
        .replace('%1', numbers.format(ticked))
        .replace('%2', numbers.format(boxes.length + required));
  };
  for (const box of boxes) box.addEventListener('change', updateCount);
  updateCount();
  // After navigating back, browsers restore the boxes later than this script runs.
  addEventListener('pageshow', updateCount);

  for (const undo of document.querySelectorAll('form[data-undo]')) {
    setTimeout(() => undo.remove(), Number(undo.getAttribute('data-undo')) * 1000);
  }
})();
