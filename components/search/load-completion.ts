/** Completion of a search, loaded when its field has the focus. */
export const loadCompletion = () => import("./search-completion.tsx").then((module) => module.SearchCompletion);
