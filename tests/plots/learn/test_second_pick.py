"""The bar of the pick is full."""

from mlfs.learn import copying
from mlfs.plots import second_pick
from tests.plots.checks import check, named


def test_picks_are_marked_and_told():
    model = copying(1)
    figure = check(second_pick(model), "MIM-BR picks f₂", "JMI-BR picks f₃", "AMI picks f₃")
    copy, newcomer = named(figure, "f₂"), named(figure, "f₃")
    assert [word != "" for word in copy.customdata] == [True, False, False]
    assert [word != "" for word in newcomer.customdata] == [False, True, True]
    assert copy.marker.color[0] != copy.marker.color[1] == copy.marker.color[2]
    assert list(copy.y) == [model.scores[criterion][1] for criterion in ("mim_br", "jmi_br", "ami")]
    assert figure.layout.xaxis.ticktext[0] == "MIM-BR<br>picks <b>f₂</b>"


def test_every_bar_fits_the_axis():
    for copied in (0, 0.5, 1):
        figure = second_pick(copying(copied))
        low, high = figure.layout.yaxis.range
        assert all(low < value < high for trace in figure.data for value in trace.y)
