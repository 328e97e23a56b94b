"""The words of each topic: what there is to see, the formula, a question to ask the class, and its answer."""

from __future__ import annotations

from dataclasses import dataclass

from mlfs.selectors import GRRO, MAPD


@dataclass(frozen=True)
class Lesson:
    """One topic.

    Attributes
    ----------
    title : as it stands in the list of topics
    explanation : two or three sentences, Markdown
    formula : LaTeX
    question, answer : for the class, Markdown
    source : the paper the topic comes from
    """

    title: str
    explanation: str
    formula: str
    question: str
    answer: str
    source: str


#: Topics by the name they have in a link, in the order of a lecture.
LESSONS = {
    "information": Lesson(
        "Information",
        "Entropy H is the number of yes-or-no questions that a variable is worth: 1 bit for an even split, less for a "
        "lopsided one, 0 for a constant. The mutual information M(f;l) is the part of the questions about the label "
        "that the feature answers; it is as much the part of the feature that the label answers.",
        r"\begin{aligned}H(f)&=-\textstyle\sum_a p(a)\log_2 p(a)\\M(f;l)&=H(f)+H(l)-H(f,l)\end{aligned}",
        "Take the table *identical* and exchange its columns, so that the feature is always wrong. "
        "What happens to M(f;l)?",
        "Nothing: it stays 1 bit. Information does not ask whether the feature says yes where the label says yes, only "
        "whether one determines the other. A feature that is always wrong is as useful as one that is always right.",
        "Lee & Kim, Entropy 2016, section 3",
    ),
    "bound": Lesson(
        "The bound",
        "A feature cannot tell more about a label than there is to know about it, nor more than the feature itself "
        "holds. So M(f;l) never rises above the smaller of the two entropies. A label of low entropy can change a "
        "sum over all labels only a little: ELS leaves its mutual information out and takes the bound instead.",
        r"0\le M(f;l)\le\min\bigl(H(f),H(l)\bigr)",
        "Set the agreement to 100%. For which pairs of p(f) and p(l) does the point reach the bound?",
        "Only where p(f) = p(l): then feature and label are the same variable. Where the label is rarer than the "
        "feature, a feature that says yes whenever the label does still says yes too often. A constant label, with "
        "H(l) = 0, reaches its bound of 0 in an idle way.",
        "Lee & Kim, Entropy 2016, eq. (10) and Theorem 2",
    ),
    "redundancy": Lesson(
        "Redundancy",
        "f₁ and f₂ agree with the label l₁ on 80 of 100 instances, f₃ agrees with another label l₂ on 70. Once f₁ is "
        "picked, which comes second? The slider lets f₂ repeat f₁ on more and more instances; its relevance "
        "stays the same.",
        r"\begin{aligned}\text{MIM}&=\textstyle\sum_l M(f;l)\\\text{JMI}&=\textstyle\sum_l M(f,f_1;l)\\"
        r"\text{AMI}&=\textstyle\sum_l M(f;l)-M(f;f_1)\end{aligned}",
        "Move the slider from end to end. Why does MIM never change its mind, and why does R(F) of {f₁, f₂} not move?",
        "Both look at one feature and the labels at a time. MIM sums M(f;l); R(F) multiplies the squared correlations "
        "of two features with the same label. Neither asks whether the two are right on the *same* instances. R(F) "
        "tells {f₁, f₂} (one label twice) from {f₁, f₃} (two labels once), not a copy from a second witness.",
        "Sechidis, Nikolaou & Brown 2014, eq. (7) and (8); R(F): Wang et al. 2020, eq. (16)",
    ),
    "dominance": Lesson(
        "Dominance",
        "Each feature has one coordinate per label: its symmetrical uncertainty (SU) with it. MAPD lets a feature "
        "dominate another where it is strictly better in more than the share α of the labels, and keeps those that "
        "none dominates. The figure shows two of the labels; the others count as well.",
        MAPD.formula,
        "Choose two labels. Why does the α slider do nothing? Then choose the circle and an α of 0.66 or less: "
        "who wins?",
        "With two labels, more than half of them is both, whatever α is: approximate dominance needs three labels to "
        "differ from Pareto dominance. In the circle each feature is beaten by another in two of three labels, so "
        "all are dominated and nothing is selected. Approximate dominance is not transitive; Pareto dominance is.",
        MAPD.paper,
    ),
    "system": Lesson(
        "The GRRO system",
        "C holds what each feature tells about each label, G what features share, R how far labels are apart. Z should "
        "be near C, but small where features share information (α), and different for labels that are far apart (β). "
        "Features with long rows of Z come first.",
        GRRO.formula,
        "Let f₂ copy f₁ entirely, and raise α. Does GRRO drop one of the two twins?",
        "No. Both rows of Z stay equal and shrink together, because the system treats equal features equally; each is "
        "weakened by the other. Features that share nothing keep more of their weight and overtake both. "
        "Now raise β: once 1 + αλ + βγ is negative somewhere, the solution is a saddle point and not a minimum.",
        GRRO.paper,
    ),
}
