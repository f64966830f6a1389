"""Relations and links written out densely, pair by pair, for the brute force of spectral methods."""

import numpy as np
from scipy.sparse import csr_array

from graphmine.arrays import Floats
from graphmine.model import Constraints, Groups, Links, Nodes, Relation, Star


def star_of(block: csr_array | Floats) -> Star:
    n_rows, n_cols = block.shape
    return Star((Relation(Nodes("Row", range(n_rows)), Nodes("Col", range(n_cols)), csr_array(block)),))


def random_star(n_rows: int, n_cols: int, seed: int, density: float = 0.3) -> Star:
    rng = np.random.default_rng(seed)
    dense = np.where(rng.random((n_rows, n_cols)) < density, rng.uniform(0.5, 2.0, (n_rows, n_cols)), 0.0)
    dense[np.arange(n_rows), rng.integers(n_cols, size=n_rows)] = 1.0
    dense[rng.integers(n_rows, size=n_cols), np.arange(n_cols)] = 1.0
    return star_of(dense)


def nested(n_rows: int, n_cols: int, seed: int) -> Star:
    """Return six classes of rows and of columns, of which the first two are near each other, and the next two."""
    rng = np.random.default_rng(seed)
    rates = np.eye(6) + 0.02
    rates[[0, 1, 2, 3], [1, 0, 3, 2]] = 0.5
    rates = np.repeat(np.repeat(rates, n_rows // 6 + 1, axis=0)[:n_rows], n_cols // 6 + 1, axis=1)[:, :n_cols]
    return star_of(rng.poisson(0.8 * rates).astype(np.float64))


def indicator(unit: int, groups: Groups, n_nodes: int) -> Floats:
    marked = np.zeros(n_nodes)
    marked[[unit] if unit >= 0 else groups[-1 - unit]] = 1.0
    return marked


def dense_links(links: Links, n_left: int, n_right: int) -> Floats:
    """Return the signed sum of all pairs that links stand for, one link after the other."""
    C = np.zeros((n_left, n_right))
    for left, right, must, weight in zip(links.left, links.right, links.must, links.weight, strict=True):
        one = indicator(left, links.groups, n_left)
        other = indicator(right, links.groups if links.others is None else links.others, n_right)
        pairs = np.outer(one, other)
        if links.others is None and left != right:
            pairs += pairs.T
        C += np.where(must, weight, -weight) * pairs
    if links.others is None:
        np.fill_diagonal(C, 0.0)
    return C


def dense_blocks(star: Star, constraints: Constraints, delta: float) -> tuple[Floats, Floats, Floats, Floats]:
    """Return E with weights up to 1, and δ C_rr, δ C_cc, δ C_rc, with δ in units of its median weight."""
    E = star.arms[0].block.toarray()
    E /= E.max()
    delta *= float(np.median(E[E > 0]))
    n_rows, n_cols = E.shape
    C_rr = dense_links(constraints.within.get("Row", Links()), n_rows, n_rows)
    C_cc = dense_links(constraints.within.get("Col", Links()), n_cols, n_cols)
    C_rc = np.zeros((n_rows, n_cols))
    if ("Row", "Col") in constraints.across:
        C_rc += dense_links(constraints.across["Row", "Col"], n_rows, n_cols)
    if ("Col", "Row") in constraints.across:
        C_rc += dense_links(constraints.across["Col", "Row"], n_cols, n_rows).T
    return E, delta * C_rr, delta * C_cc, delta * C_rc


def random_links(n_left: int, n_right: int, seed: int, *, across: bool, cannot: bool) -> Links:
    """Return pairs, groups that overlap, links of groups with nodes and with groups, doubles, and weights."""
    rng = np.random.default_rng(seed)
    pairs = np.stack([rng.integers(n_left, size=8), rng.integers(n_right, size=8)], axis=1)
    if not across:
        pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    pairs = np.vstack([pairs, pairs[:2]])
    links = Links.of_pairs(pairs, weight=rng.uniform(0.3, 2.0, len(pairs)), across=across)
    left = Groups.of([rng.choice(n_left, size, replace=False) for size in (2, 3, n_left // 3)])
    right = Groups.of([rng.choice(n_right, size, replace=False) for size in (2, 4, n_right // 3)])
    if across:
        links += Links.between(left, right, [[0, 1], [2, 2], [1, 0]], weight=[0.7, 0.4, 1.1])
    else:
        links += Links.tying(left, weight=rng.uniform(0.3, 1.0, 3))
        links += Links.parting(Groups.of([[0, 1, 2], [2, 3], [5]]), must=True, weight=0.6)
    if cannot:
        apart = Groups.of([[0, 2], [1, 3, 4]])
        links += Links.of_pairs([[0, 1], [3, 2]], must=False, weight=0.05, across=across)
        if across:
            links += Links.between(apart, Groups.of([[1], [0, 2]]), [[0, 0], [1, 1]], must=False, weight=0.04)
        else:
            links += Links.parting(apart, weight=0.05)
    return links


def random_constraints(n_rows: int, n_cols: int, seed: int, sort: str) -> Constraints:
    """Return random links of a sort: of rows, cols, both, across, all, or all with cannot."""
    cannot = sort == "all with cannot"
    within, across = {}, {}
    if sort not in ("cols", "across"):
        within["Row"] = random_links(n_rows, n_rows, seed, across=False, cannot=cannot)
    if sort not in ("rows", "across"):
        within["Col"] = random_links(n_cols, n_cols, seed + 1, across=False, cannot=cannot)
    if sort == "across" or sort.startswith("all"):
        across["Row", "Col"] = random_links(n_rows, n_cols, seed + 2, across=True, cannot=cannot)
        across["Col", "Row"] = random_links(n_cols, n_rows, seed + 3, across=True, cannot=False)
    return Constraints(within, across)


def centred_gram(points: Floats) -> Floats:
    """Return all inner products of points about their mean: what k-means sees of them."""
    centred = points - points.mean(axis=0)
    gram: Floats = centred @ centred.T
    return gram
