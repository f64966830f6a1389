"""Asking a graph the questions that analysts ask: those that come with graphmine, or a file of one's own."""

import pyarrow as pa
import pyarrow.compute as pc

from graphmine.errors import StoreError
from graphmine.questions.catalog import Question, find_question, question_names
from graphmine.questions.compose import compose
from graphmine.questions.fill import inlined
from graphmine.store import Reader, Store

__all__ = ["queries", "query", "query_text"]


def query(store: Store, name: str, /, **params: object) -> pa.Table:
    """Answer a question from the graph, with the same rows in the same order on both databases.

    Parameters
    ----------
    store
        An open database; it is only read.
    name
        One of `queries`, or the path of a Cypher file.
    params
        The parameters of the question; what is not given comes from the last complete run.

    Examples
    --------
    >>> import graphmine as gm
    >>> with gm.connect(":memory:") as store:
    ...     loaded = gm.load(store, gm.davis())
    ...     mined = gm.mine(store, gm.Job(relation="Woman-ATTENDED->Event", n_clusters=2, write="circle"))
    ...     gm.query(store, "core", clusters=[0], limit=2).to_pylist()
    [{'cluster': 0, 'node': 'Brenda Rogers', 'inside': 7}, {'cluster': 0, 'node': 'Evelyn Jefferson', 'inside': 7}]
    """
    question = find_question(name)

    def work(tx: Reader) -> pa.Table:
        composed = compose(tx, store.name, question, params)
        return tx.read(composed.text, **composed.values)

    try:
        return _plain(store.reading(work))
    except StoreError as error:
        if question.own:
            raise type(error)(f"query {name}: {error}") from error
        raise


def query_text(store: Store, name: str, /, **params: object) -> str:
    """Return the Cypher that answers a question in a database, complete, to be taken elsewhere or changed."""
    question = find_question(name)
    composed = store.reading(lambda tx: compose(tx, store.name, question, params))
    return inlined(composed.text, composed.values) + "\n"


def queries() -> list[Question]:
    """Return the questions that come with graphmine: names, what they answer, what they take.

    >>> [each.name for each in queries()][:3]
    ['around', 'between', 'bridges']
    """
    return [find_question(name) for name in question_names()]


def _plain(table: pa.Table) -> pa.Table:
    """Return sums of whole numbers as whole numbers: LadybugDB has a wider type for them."""
    for number, each in enumerate(table.schema):
        if pa.types.is_decimal(each.type) and each.type.scale == 0:
            column = table.column(number)
            fits = pc.all(pc.less_equal(pc.abs(column), pa.scalar(2**63 - 1, each.type))).as_py()
            if fits is not False:
                table = table.set_column(number, each.name, column.cast(pa.int64()))
    return table
