// Sets the chosen theme before the first paint; a module would run too late.
try {
  document.documentElement.dataset.theme = localStorage.getItem("nucleus-theme") || "system";
} catch {
  document.documentElement.dataset.theme = "system";
}
