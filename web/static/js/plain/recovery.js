// The safe page works without this; with it, a screen goes back to the table once it is open again.
// It is loaded before anything is shown, so that every screen can reload itself.

setInterval(async () => {
  const health = await fetch("/healthz", { cache: "no-store" })
    .then((answer) => answer.json())
    .catch(() => ({ safe: true }));
  if (!health.safe) location.reload();
}, 3000);
